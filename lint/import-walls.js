/**
 * The import directions of the design, as data: every folder is denied everything and then given a short list.
 * A source file that no zone covers may import nothing, so a new folder starts by stating its place here.
 */

/**
 * @typedef {object} Zone
 * @property {string} path      folder or file below src/
 * @property {string[]} may     folders or files below src/ that it may import
 * @property {string[]} [types] folders that it may import types from, and nothing else
 * @property {string[]} modules packages and node: modules that it may import ("name" also covers "name/sub")
 */

const PURE = ['node:crypto', 'node:zlib', 'node:buffer', '@noble/curves', '@noble/ciphers', '@noble/hashes', 'zod']
const FILES = ['node:fs', 'node:path', 'node:os']

/** @type {Zone[]} The longest matching path decides. */
export const zones = [
  { path: 'shared', may: ['shared'], modules: ['zod', '@orpc/contract'] },

  // Pure: evidence in, verdict out; body in, ciphertext out. No network, no clock, no disk.
  { path: 'core/attestation', may: ['core/attestation', 'shared'], modules: [...PURE, '@sigstore'] },
  { path: 'core/ehbp', may: ['core/ehbp', 'shared'], modules: PURE },
  { path: 'core/pricing', may: ['core/pricing', 'shared'], modules: ['zod'] },
  { path: 'core/channel', may: ['core/channel', 'core/attestation', 'core/ehbp', 'shared'], modules: PURE },
  { path: 'core/service', may: ['core/service', 'shared'], modules: ['zod', 'eventsource-parser'] },
  { path: 'core/payment', may: ['core/payment', 'core/pricing', 'shared'], modules: PURE },
  { path: 'core/vault', may: ['core/vault', 'shared'], modules: [...PURE, ...FILES, '@napi-rs/keyring'] },
  { path: 'core/store', may: ['core/store', 'shared'], modules: [...PURE, ...FILES, 'node:sqlite'] },
  {
    path: 'core/relay',
    may: ['core/relay', 'core/channel', 'core/service/inference', 'core/service/http', 'core/pricing', 'shared'],
    modules: [...PURE, 'eventsource-parser'],
  },
  {
    path: 'core/proxy',
    may: ['core/proxy', 'core/relay', 'core/service/account/read', 'shared'],
    modules: [...PURE, 'fastify', 'node:http', 'node:stream', 'node:net'],
  },
  {
    path: 'core/api',
    may: ['core/api', 'core/relay', 'core/service/account', 'core/service/http', 'core/payment', 'core/vault', 'core/store', 'shared'],
    modules: [...PURE, '@orpc/server', 'eventsource-parser'],
  },
  // The only place where the parts are joined.
  { path: 'core/core.ts', may: ['core', 'shared'], modules: [...PURE, 'node:path'] },

  {
    path: 'host',
    // The exclusive lock is the database's own, and node:sqlite stands in store/ alone.
    may: ['host', 'core/core.ts', 'core/store/exclusive-lock.ts', 'sandbox', 'shared'],
    modules: [...FILES, 'node:crypto', 'node:http', 'node:https', 'node:net', 'node:stream', 'node:url', 'undici', 'zod'],
  },
  { path: 'main', may: ['main', 'host', 'shared'], modules: ['electron', 'node:path', 'node:url', 'node:fs'] },
  { path: 'preload', may: ['preload', 'shared'], modules: ['electron'] },
  {
    path: 'cli',
    may: ['cli', 'host', 'shared'],
    modules: [...FILES, 'node:crypto', 'node:http', 'node:net', 'node:child_process', 'node:readline', 'node:stream', 'node:url', 'node:module', 'commander', 'fastify', '@orpc/client', '@orpc/contract'],
  },
  {
    path: 'renderer',
    may: ['renderer', 'shared'],
    modules: ['react', 'react-dom', 'radix-ui', 'zustand', 'react-markdown', 'remark-gfm', 'rehype-highlight', 'highlight.js', 'marked', 'virtua', 'lucide-react', '@orpc/client', '@orpc/contract', 'zod'],
  },
  // It must agree with the specification and not with our code: from shared/ it takes types alone.
  {
    path: 'sandbox',
    may: ['sandbox'],
    types: ['shared'],
    modules: [...FILES, 'node:crypto', 'node:zlib', 'node:sqlite', 'node:http', 'node:stream', 'node:timers', 'node:util', 'fastify', '@noble/ciphers', '@noble/curves', '@noble/hashes', 'zod'],
  },
]

/** Features of the window are rooms: one never reaches into another. */
const FEATURES = 'renderer/features/'

/** Who may import whom inside a zone, where the folder of both is the same zone's. */
const within = (/** @type {string} */ path, /** @type {string} */ folder) => path === folder || path.startsWith(`${folder}/`)

/** @param {string} path below src/ */
export function zoneOf(path) {
  return zones.filter((zone) => within(path, zone.path)).sort((a, b) => b.path.length - a.path.length)[0]
}

/**
 * @param {string} from importing file below src/
 * @param {string} to   imported file below src/
 * @param {boolean} typeOnly
 * @returns {string | undefined} why it is refused
 */
export function refusedFile(from, to, typeOnly) {
  const zone = zoneOf(from)
  if (!zone) return `src/${from} stands in no zone of lint/import-walls.js`
  if (from.startsWith(FEATURES) && to.startsWith(FEATURES)) {
    const own = from.split('/').slice(0, 3).join('/')
    if (!within(to, own)) return `${own} may not import another feature`
  }
  if (zone.may.some((folder) => within(to, folder))) return undefined
  if (typeOnly && zone.types?.some((folder) => within(to, folder))) return undefined
  return `${zone.path} may not import ${to}`
}

/**
 * @param {string} from importing file below src/
 * @param {string} name package or node: module
 * @returns {string | undefined} why it is refused
 */
export function refusedModule(from, name) {
  const zone = zoneOf(from)
  if (!zone) return `src/${from} stands in no zone of lint/import-walls.js`
  return zone.modules.some((module) => within(name, module)) ? undefined : `${zone.path} may not import ${name}`
}

/** @type {import('eslint').Rule.RuleModule} */
export const importWalls = {
  meta: { type: 'problem', schema: [], messages: { wall: '{{why}}' } },
  create(context) {
    const [, from] = context.filename.replaceAll('\\', '/').split('/src/', 2)
    if (from === undefined) return {}
    /** @type {(node: any, source: any, typeOnly: boolean) => void} */
    const judge = (node, source, typeOnly) => {
      if (!source || typeof source.value !== 'string') {
        if (source) context.report({ node, messageId: 'wall', data: { why: 'an import names its module in plain text' } })
        return
      }
      const name = source.value.split('?')[0]
      const why = name.startsWith('.')
        ? refusedFile(from, resolveBelowSource(from, name), typeOnly)
        : refusedModule(from, name)
      if (why) context.report({ node, messageId: 'wall', data: { why } })
    }
    return {
      ImportDeclaration: (node) => judge(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => judge(node, node.source, isTypeOnly(node)),
      ExportAllDeclaration: (node) => judge(node, node.source, isTypeOnly(node)),
      ImportExpression: (node) => judge(node, node.source, false),
      TSImportType: (/** @type {any} */ node) => judge(node, node.source ?? node.argument?.literal, true),
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require') judge(node, node.arguments[0], false)
      },
    }
  },
}

/** @param {any} node */
function isTypeOnly(node) {
  return node.importKind === 'type' || node.exportKind === 'type'
}

/** @param {string} from @param {string} relative */
function resolveBelowSource(from, relative) {
  const parts = from.split('/').slice(0, -1)
  for (const part of relative.split('/')) {
    if (part === '..') { if (parts.length === 0) parts.push('..'); else parts.pop() }
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
