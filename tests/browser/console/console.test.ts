// One server and one browser for all cases of the console: see operator.ts.
import './ask.cases.ts'
import './console.cases.ts'
import './door.cases.ts'
import './door-sales.cases.ts'
import './in-force.cases.ts'
import './look.cases.ts'
import './numbers.cases.ts'
import './papers.cases.ts'
