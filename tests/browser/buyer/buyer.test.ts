// One server and one browser for all cases of buyers: see stage.ts.
import './after-sale.cases.ts'
import './back.cases.ts'
import './headers.cases.ts'
import './journey.cases.ts'
import './languages.cases.ts'
import './plans.cases.ts'
import './states.cases.ts'
import './zones.cases.ts'
