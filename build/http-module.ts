import http from 'node:http'
import { join } from 'node:path'
import { normalizePath, type Plugin } from 'vite'

const IMPORT = "from 'node:http'"
const NAME = '#node-http'
const ID = '\0sotto:node-http'

/**
 * `node:http` without the side effect of importing it as an ES module: Node then reads each of the module's
 * members, three of which (WebSocket and its events) load its own copy of undici. That takes a twelfth of
 * the start time, and isn't needed before the first Request or Headers.
 */
export function httpModule(root: string): Plugin {
  const sources = normalizePath(join(root, 'src/'))
  return {
    name: 'sotto:http-module',
    enforce: 'pre',
    // Under a name of its own: one that is Node's never comes to a plugin.
    transform: (code, id) =>
      id.startsWith(sources) && code.includes(IMPORT)
        ? { code: code.replaceAll(IMPORT, `from '${NAME}'`), map: null }
        : null,
    resolveId: (name) => (name === NAME ? ID : null),
    load: (id) =>
      id === ID
        ? `export const { ${plainMembers().join(', ')} } = process.getBuiltinModule('node:http')`
        : null,
  }
}

/** Members that aren't created on access. */
function plainMembers(): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([name, member]) => name !== 'default' && 'value' in member)
    .map(([name]) => name)
}
