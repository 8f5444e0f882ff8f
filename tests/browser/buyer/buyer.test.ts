// One server and one browser for all cases of buyers: see stage.ts.
import './headers.cases.ts'
import './journey.cases.ts'
import './languages.cases.ts'
import './places.cases.ts'
import './states.cases.ts'
