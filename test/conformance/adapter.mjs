// One process per call: what runs is the built adapter, which `npm run build` leaves here.
import '../../out/conformance/adapter.js'
