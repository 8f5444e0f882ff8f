// One server and one browser for all cases of the console: see operator.ts.
import './console.cases.ts'
import './door.cases.ts'
import './look.cases.ts'
