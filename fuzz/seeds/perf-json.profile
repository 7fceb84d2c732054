{"counter-value" : "4005871221.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 1397970000, "pcnt-running" : 75.00, "metric-value" : 2.8, "metric-unit" : "GHz"}
{"counter-value" : "2000000000.000000", "unit" : "ns", "event" : "duration_time", "event-runtime" : 2000000000, "pcnt-running" : 100.00}
