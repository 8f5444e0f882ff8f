// Suites that share one real server: starting it takes longer than they do.
import './suites/waiting.ts'
import './suites/push.ts'
import './suites/buying.ts'
import './suites/log.ts'
