// One process per call: what runs is the built adapter, which `npm run build` leaves here with what V8 makes of it.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../out/conformance/compile-cache'))
await import('../../out/conformance/adapter.js')
