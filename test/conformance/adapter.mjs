// Runs one process per call with the built adapter, which `npm run build` creates together with V8's compile
// cache.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../out/conformance/compile-cache'))
await import('../../out/conformance/adapter.js')
