// One server and one browser for all cases of the console: see operator.ts.
import './console.cases.ts'
import './door.cases.ts'
import './in-force.cases.ts'
import './look.cases.ts'
import './numbers.cases.ts'
