import { dirname, isAbsolute, join, posix, relative } from 'node:path'

/**
 * The import directions of the design, as data: every folder is denied everything and then given a short list.
 * A source file that no zone covers may import nothing, so a new folder starts by stating its place here.
 */

const CRYPTO = ['node:crypto', '@noble/curves', '@noble/ciphers', '@noble/hashes']
const FILES = ['node:fs', 'node:path']

/** The entries of each package: no zone outside of it may import anything else of it. The second is light. */
export const PACKAGES = {
  verifier: ['verifier/index.ts', 'verifier/types.ts'],
  ehbp: ['ehbp/index.ts', 'ehbp/prepare.ts'],
}

/** @type {import('./import-walls.d.ts').Zone[]} The longest matching path decides. */
export const zones = [
  // Codes, types and constants of the verifier are the app's too.
  { path: 'shared', may: ['shared', 'verifier/types.ts'], modules: ['zod', '@orpc/contract'] },

  // Packages: pure, and without anything of the app. Evidence in, verdict out; body in, ciphertext out. No network, no clock, no disk.
  { path: 'verifier', may: ['verifier'], modules: ['node:crypto', 'node:zlib', 'zod'] },
  { path: 'ehbp', may: ['ehbp'], modules: ['node:crypto'] },
  { path: 'core/pricing', may: ['core/pricing', 'shared'], modules: [] },
  // Pure: a picture in, the same picture without its metadata out.
  { path: 'core/image-metadata', may: ['core/image-metadata', 'shared'], modules: ['node:zlib'] },
  // Pure: the bytes of a chat answer in, what they say out. Everything that reads a chat answer gets its result.
  {
    path: 'core/answer',
    may: ['core/answer', 'core/service/http', 'shared'],
    modules: ['zod', 'eventsource-parser'],
  },
  // Counts the tokens of a prompt, for tools that ask and for estimates. No budget relies on it.
  {
    path: 'core/tokens',
    may: ['core/tokens/token-thread.ts', 'core/tokens/image.ts', 'shared'],
    modules: ['node:crypto', 'node:worker_threads', 'image-size'],
  },
  // The encoder's table is loaded only in the thread that counts.
  { path: 'core/tokens/token-worker.ts', may: ['core/tokens/text.ts'], modules: ['node:worker_threads'] },
  { path: 'core/tokens/text.ts', may: [], modules: ['node:timers/promises', 'gpt-tokenizer'] },
  // Pure: a request of another interface in, a chat completion out, and the answer back.
  { path: 'core/dialect', may: ['core/dialect', 'core/answer', 'shared'], modules: ['zod'] },
  {
    path: 'core/channel',
    may: ['core/channel', ...PACKAGES.verifier, ...PACKAGES.ehbp, 'shared'],
    modules: ['node:crypto', 'node:timers/promises', 'node:worker_threads'],
  },
  { path: 'core/service', may: ['core/service', 'shared'], modules: ['zod'] },
  {
    path: 'core/payment',
    may: ['core/payment', 'shared'],
    modules: ['node:crypto', '@noble/curves', '@noble/hashes', '@scure/base', 'light-bolt11-decoder', 'zod'],
  },
  // The one part of it that opens connections: to a wallet's relays.
  { path: 'core/payment/nwc', may: ['core/payment', 'shared'], modules: [...CRYPTO, 'ws', 'zod'] },
  // The accounts of a profile and the keys of the active one: kept in the vault, and asked of the service.
  {
    path: 'core/accounts',
    may: ['core/accounts', 'core/service/account', 'core/service/http', 'core/vault', 'shared'],
    modules: ['node:crypto', 'zod'],
  },
  // The wallet that is kept in the vault, and what it may spend.
  { path: 'core/wallet', may: ['core/wallet', 'core/payment', 'core/vault', 'shared'], modules: ['zod'] },
  {
    path: 'core/vault',
    may: ['core/vault', 'shared'],
    modules: ['node:crypto', '@noble/ciphers', ...FILES, 'zod', '@napi-rs/keyring'],
  },
  {
    path: 'core/store',
    may: ['core/store', 'shared'],
    modules: ['node:crypto', ...FILES, 'zod', 'node:sqlite'],
  },
  // All conversations together: searched, taken out and in.
  {
    path: 'core/library',
    may: ['core/library', 'core/store', 'core/vault', 'shared'],
    modules: ['node:crypto', 'zod'],
  },
  // Who may call: the proven caller of each request, and the browser tabs that hold a token.
  { path: 'core/callers', may: ['core/callers'], modules: ['node:crypto'] },
  // What was allowed once, in memory: it knows neither conversations nor the way out.
  { path: 'core/consents', may: ['core/consents', 'shared'], modules: ['node:crypto'] },
  // What is made by the service, as jobs: it reaches the service, payments and the store by what open-core.ts gives it.
  {
    path: 'core/studio',
    may: ['core/studio', 'shared'],
    types: ['core/relay', 'core/payment', 'core/store'],
    modules: ['node:crypto', 'node:stream', 'zod', 'fflate', 'csv-parse', 'hyparquet-writer'],
  },
  {
    path: 'core/relay',
    may: [
      'core/relay',
      'core/answer',
      'core/channel',
      'core/service/inference',
      'core/service/http',
      'core/pricing',
      'shared',
    ],
    modules: ['node:crypto', 'zod'],
  },
  {
    path: 'core/proxy',
    may: [
      'core/proxy',
      'core/answer',
      'core/relay',
      'core/dialect',
      'core/tokens/chat.ts',
      'core/service/account/read',
      'shared',
    ],
    types: ['core/tokens'],
    modules: ['node:crypto', 'node:http', 'node:https', 'node:net', 'fastify'],
  },
  // Reads what parsers disagree about, so that nothing else of the proxy has to.
  // Decodes compressed bodies within limits; nothing else of the proxy does.
  { path: 'core/proxy/content-coding.ts', may: ['shared'], modules: ['node:http', 'node:zlib'] },
  { path: 'core/proxy/form.ts', may: ['core/relay', 'shared'], modules: ['@fastify/busboy'] },
  { path: 'core/proxy/metrics', may: ['core/proxy/metrics', 'shared'], modules: ['prom-client'] },
  {
    path: 'core/api',
    may: [
      'core/api',
      'core/accounts',
      'core/callers',
      'core/answer',
      'core/consents',
      'core/image-metadata',
      'core/library',
      'core/relay',
      'core/service/account',
      'core/service/http',
      'core/payment',
      'core/wallet',
      'core/vault',
      'core/store',
      'core/studio',
      'verifier/types.ts',
      'shared',
    ],
    types: ['core/tokens'],
    modules: ['zod', '@orpc/server'],
  },
  {
    path: 'core/reach',
    may: ['core/reach', 'shared'],
    modules: ['node:crypto', 'node:net', 'zod', 'pkijs', 'asn1js'],
  },
  // The only places where the parts are joined: what stands behind the vault, and what stands around it.
  { path: 'core/open-core.ts', may: ['core', 'shared'], modules: ['node:crypto', 'node:path'] },
  {
    path: 'core/open-channel.ts',
    may: ['core/api', 'core/channel', 'shared'],
    types: ['core/store'],
    modules: [],
  },
  {
    path: 'core/open-service-enclave.ts',
    may: ['core/api', 'core/channel', 'shared'],
    types: ['core/store'],
    modules: [],
  },
  // Two clocks and a setting; what it locks is given to it.
  { path: 'core/auto-lock.ts', may: ['shared'], modules: [] },
  {
    path: 'core/core.ts',
    may: [
      'core/open-core.ts',
      'core/api',
      'core/callers',
      'verifier/index.ts',
      'core/channel/proof.ts',
      'core/proxy',
      'core/reach',
      'core/vault',
      'shared',
    ],
    modules: [],
  },

  {
    path: 'host',
    // The exclusive lock is the database's own, and node:sqlite stands in store/ alone.
    may: ['host', 'core/core.ts', 'core/store/exclusive-lock.ts', 'sandbox', 'verifier/types.ts', 'shared'],
    modules: [
      ...FILES,
      'node:os',
      'node:crypto',
      'node:http',
      'node:inspector',
      'node:stream',
      'node:tls',
      'undici',
      'zod',
    ],
  },
  // Lowers a limit of its own process, which takes a program of the system.
  { path: 'host/core-dumps.ts', may: [], modules: ['node:fs', 'node:child_process', 'node:util'] },
  {
    path: 'host/log',
    may: ['host/log', 'shared'],
    modules: ['node:fs', 'node:path', 'pino', 'rotating-file-stream'],
  },
  { path: 'main', may: ['main', 'host', 'shared'], modules: ['electron', ...FILES, 'zod', '@lingui/core'] },
  // Fetches and installs updates: it opens connections, to the place of releases. What it notes is kept as the desktop’s other files are.
  {
    path: 'main/updates',
    may: ['main/updates', 'main/kept-file.ts', 'host', 'shared'],
    modules: ['electron', 'electron-updater', ...FILES, 'node:crypto', 'node:http', 'zod'],
  },
  { path: 'preload', may: ['preload', 'shared'], modules: ['electron'] },
  {
    path: 'cli',
    may: ['cli', 'host', 'verifier/types.ts', 'shared'],
    modules: [
      ...FILES,
      'node:crypto',
      'node:child_process',
      'node:readline',
      'node:stream',
      'node:url',
      'commander',
      'zod',
      '@orpc/client',
      '@orpc/contract',
    ],
  },
  { path: 'cli/terminal-qr.ts', may: [], modules: ['uqr'] },
  // Starts other people's programs, in this terminal.
  { path: 'cli/run-tool.ts', may: ['shared'], modules: [...FILES, 'node:events', 'node:os', 'cross-spawn'] },
  { path: 'cli/compile-cache.ts', may: [], modules: ['node:fs', 'node:module', 'node:path'] },
  {
    path: 'renderer',
    may: ['renderer', 'verifier/types.ts', 'shared'],
    modules: [
      '#changelog',
      'react',
      'react-dom',
      '@lingui/core',
      '@lingui/react',
      'radix-ui',
      'zustand',
      '@tanstack/react-query',
      'hast',
      'hast-util-to-jsx-runtime',
      'unified',
      'remark-parse',
      'remark-gfm',
      'remark-rehype',
      'lowlight',
      'marked',
      'katex',
      'mermaid',
      'pdfjs-dist',
      'virtua',
      'lucide-react',
      'qrcode.react',
      'jsonc-parser',
      '@orpc/client',
      '@orpc/contract',
      'zod',
    ],
  },
  // It must agree with the specification and not with our code: from shared/ it takes types and the estimate of tokens, which no specification defines.
  {
    path: 'sandbox',
    may: ['sandbox', 'shared/token-estimate.ts'],
    types: ['shared'],
    modules: [
      ...FILES,
      'node:crypto',
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      'node:zlib',
      'node:sqlite',
      'node:http',
      'node:stream',
      'node:timers',
      'node:util',
      'fastify',
      'image-size',
      'zod',
    ],
  },
  // Real nodes, for who develops: the package is not shipped.
  {
    path: 'sandbox/lightning',
    may: ['sandbox'],
    modules: ['node:crypto', 'node:fs', 'node:url', 'lightningdevkit'],
  },
  // The parts of it that open connections: to a wallet's relay on loopback.
  {
    path: 'sandbox/wallet',
    may: ['sandbox'],
    types: ['shared'],
    modules: ['@scure/base', '@nostr-relay', 'ws', 'zod'],
  },
  { path: 'sandbox/nwc', may: ['sandbox'], modules: [...CRYPTO, 'undici', 'zod'] },
]

const SOURCE = join(dirname(import.meta.dirname), 'src')

/** Features of the window are rooms: one never reaches into another. */
const FEATURES = 'renderer/features/'

/** The file, or a file below the folder; of packages, the package or what it exports below its name. */
const within = (/** @type {string} */ path, /** @type {string} */ folder) =>
  path === folder || path.startsWith(`${folder}/`)

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
function refusedFile(from, to, typeOnly) {
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
function refusedModule(from, name) {
  const zone = zoneOf(from)
  if (!zone) return `src/${from} stands in no zone of lint/import-walls.js`
  return zone.modules.some((module) => within(name, module))
    ? undefined
    : `${zone.path} may not import ${name}`
}

/** @type {import('eslint').Rule.RuleModule} */
export const importWalls = {
  meta: { type: 'problem', schema: [], messages: { wall: '{{why}}' } },
  create(context) {
    const from = relative(SOURCE, context.filename).replaceAll('\\', '/')
    if (from.startsWith('..') || isAbsolute(from)) return {}
    /** @type {(node: any, source: any, typeOnly: boolean) => void} */
    const judge = (node, source, typeOnly) => {
      if (!source || typeof source.value !== 'string') {
        if (source)
          context.report({
            node,
            messageId: 'wall',
            data: { why: 'an import names its module in plain text' },
          })
        return
      }
      const name = source.value.split('?')[0]
      const why = name.startsWith('.')
        ? refusedFile(from, posix.join(posix.dirname(from), name), typeOnly)
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
        if (node.callee.type === 'Identifier' && node.callee.name === 'require')
          judge(node, node.arguments[0], false)
      },
      // The ways to a module that are no import.
      Identifier: (node) => {
        if (node.name === 'getBuiltinModule' || node.name === 'createRequire')
          context.report({ node, messageId: 'wall', data: { why: 'modules are reached by import alone' } })
      },
    }
  },
}

/** @param {any} node */
function isTypeOnly(node) {
  return node.importKind === 'type' || node.exportKind === 'type'
}
