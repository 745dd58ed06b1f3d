import { dirname, isAbsolute, join, posix, relative } from 'node:path'

/**
 * The import directions of the design, as data: every folder is denied everything and then given a short list.
 * A source file that no zone covers may import nothing, so a new folder starts by stating its place here.
 */

const CRYPTO = ['node:crypto', '@noble/curves', '@noble/ciphers', '@noble/hashes']
const FILES = ['node:fs', 'node:path']
const STREAMS = ['@orpc/standard-server', '@orpc/standard-server-peer']

/** The entries of each package: no zone outside of it may import anything else of it. The second is light. */
export const PACKAGES = {
  verifier: ['verifier/index.ts', 'verifier/types.ts'],
  ehbp: ['ehbp/index.ts', 'ehbp/prepare.ts'],
}

/** @type {import('./import-walls.d.ts').Zone[]} The longest matching path decides. */
export const zones = [
  // Contract, schemas, error codes and messages: what the window, the command line and the core share.
  { path: 'shared', may: ['shared', 'verifier/types.ts'], modules: ['fflate', 'zod', '@orpc/contract'] },

  // Packages: pure, and without anything of the app. Evidence in, verdict out; body in, ciphertext out. No
  // network, no clock, no disk.
  { path: 'verifier', may: ['verifier'], modules: ['node:crypto', 'node:zlib', 'zod'] },
  { path: 'ehbp', may: ['ehbp'], modules: ['node:crypto'] },

  // The core by domain. Each domain's rpc.ts answers its part of the contract, and confirms what loosens
  // outside the window.
  {
    path: 'core/storage',
    may: ['core/storage', 'core/app/confirm.ts', 'shared'],
    types: ['core/rpc'],
    modules: [...FILES, 'node:crypto', 'node:sqlite', '@noble/ciphers', '@napi-rs/keyring', 'zod'],
  },
  // Verifies enclaves and seals requests. It opens no connection: the fetch is passed in.
  {
    path: 'core/gateway/channel',
    may: [
      'core/gateway/channel',
      'core/gateway/request-timeout.ts',
      ...PACKAGES.verifier,
      ...PACKAGES.ehbp,
      'shared',
    ],
    modules: ['node:crypto', 'node:worker_threads'],
  },
  // The service's interface, as specified.
  {
    path: 'core/gateway/service',
    may: ['core/gateway/service', 'core/gateway/request-timeout.ts', 'shared'],
    modules: ['zod'],
  },
  // The parts of a request's path, in order: proxy, dialect, relay, channel or service, answer.
  {
    path: 'core/gateway',
    may: ['core/gateway', 'core/app/confirm.ts', 'core/rpc', 'verifier/types.ts', 'shared'],
    types: ['core/payments', 'core/storage'],
    modules: [
      'node:crypto',
      'node:http',
      'node:https',
      'node:net',
      'node:perf_hooks',
      'node:worker_threads',
      'node:zlib',
      '@fastify/busboy',
      'asn1js',
      'eventsource-parser',
      'fastify',
      'image-size',
      'pkijs',
      'prom-client',
      'zod',
    ],
  },
  // The encoder's table is large, so only the thread that counts tokens loads it.
  {
    path: 'core/gateway/tokens/token-worker.ts',
    may: ['core/gateway/tokens/text.ts'],
    modules: ['node:worker_threads'],
  },
  { path: 'core/gateway/tokens/text.ts', may: [], modules: ['node:timers/promises', 'gpt-tokenizer'] },
  {
    path: 'core/payments',
    may: [
      'core/payments',
      'core/gateway/relay',
      'core/gateway/service',
      'core/app/confirm.ts',
      'core/rpc',
      'core/storage',
      'shared',
    ],
    modules: [...CRYPTO, '@scure/base', 'light-bolt11-decoder', 'ws', 'zod'],
  },
  // The rule of private-only projects, which each way out of a conversation calls, and the projects' part of the contract.
  {
    path: 'core/projects',
    may: ['core/projects', 'core/app/confirm.ts', 'core/rpc', 'shared'],
    types: ['core/storage'],
    modules: [],
  },
  {
    path: 'core/conversations',
    may: ['core/conversations', 'core/gateway/answer', 'core/projects', 'core/rpc', 'core/storage', 'shared'],
    types: ['core/gateway/relay', 'core/tools'],
    modules: ['node:crypto', 'node:zlib', 'zod'],
  },
  // Documents of projects: it sends nothing, and conversations call it through the unlocked core.
  {
    path: 'core/knowledge',
    may: ['core/knowledge', 'shared'],
    types: ['core/rpc', 'core/storage'],
    modules: [],
  },
  // Jobs send and pay nothing themselves, because create-core.ts passes the relay and the payer in.
  {
    path: 'core/jobs',
    may: ['core/jobs', 'core/payments', 'core/conversations', 'core/app/confirm.ts', 'core/rpc', 'shared'],
    types: ['core/gateway/relay', 'core/storage'],
    modules: ['node:crypto', 'node:stream', 'csv-parse', 'fflate', 'hyparquet-writer', 'zod'],
  },
  // Tools that a model may call. Servers are programs of the person, and the only processes that the core starts.
  {
    path: 'core/tools',
    may: ['core/tools', 'core/app/confirm.ts', 'core/rpc/failure.ts', 'shared'],
    types: ['core/rpc', 'core/storage'],
    modules: [
      ...FILES,
      'node:child_process',
      'node:crypto',
      // Receives the browser's answer to a sign-in, on loopback.
      'node:http',
      'node:net',
      'node:stream',
      '@modelcontextprotocol/client',
      'zod',
    ],
  },
  // Tools that Sotto runs within requests of local keys.
  {
    path: 'core/server-tools',
    may: [
      'core/server-tools',
      'core/conversations/answer-tools.ts',
      'core/conversations/receipt-tools.ts',
      'core/gateway/answer',
      'core/gateway/dialect/read-request.ts',
      'core/projects/private-only.ts',
      'shared',
    ],
    types: ['core/gateway/relay', 'core/storage', 'core/tools'],
    modules: ['node:crypto', 'eventsource-parser'],
  },
  // The only place that joins the domains.
  {
    path: 'core',
    may: ['core', 'verifier/index.ts', 'shared'],
    modules: ['node:crypto', 'node:path', '@orpc/server'],
  },

  {
    path: 'host',
    // The exclusive lock is the database's own, and only storage/ may import node:sqlite.
    may: ['host', 'core/core.ts', 'core/storage/exclusive-lock.ts', 'sandbox', 'verifier/types.ts', 'shared'],
    modules: [
      ...FILES,
      ...['node:child_process', 'node:crypto', 'node:events', 'node:http', 'node:inspector', 'node:os'],
      ...['node:stream', 'node:tls', 'node:util', 'node:v8'],
      'pino',
      'rotating-file-stream',
      ...STREAMS,
      ...['@orpc/standard-server-fetch', 'undici', 'ws', 'zod'],
    ],
  },
  {
    path: 'main',
    may: ['main', 'host', 'shared'],
    modules: [...FILES, 'node:crypto', 'node:http', 'electron', 'electron-updater', '@lingui/core', 'zod'],
  },
  { path: 'preload', may: ['preload', 'shared'], modules: ['electron'] },
  {
    path: 'cli',
    may: ['cli', 'host', 'replica/index.ts', 'verifier/types.ts', 'shared'],
    modules: [
      ...FILES,
      ...['node:child_process', 'node:crypto', 'node:events', 'node:module', 'node:os', 'node:readline'],
      'node:stream',
      'node:tty',
      'node:url',
      '@orpc/client',
      '@orpc/contract',
      'commander',
      'cross-spawn',
      'uqr',
      'zod',
    ],
  },
  // Replicas of one team on PostgreSQL. The command loads it, dynamically, when a database is configured.
  {
    path: 'replica',
    may: [
      'replica',
      'core/proxy-core.ts',
      'core/gateway/privacy-choices.ts',
      'core/gateway/proxy',
      'core/payments',
      'core/rpc/failure.ts',
      'core/storage',
      'host',
      'shared',
    ],
    types: ['core/gateway'],
    modules: [
      ...FILES,
      'node:child_process',
      'node:crypto',
      'node:http',
      'node:net',
      'node:os',
      'node:timers',
      'node:tls',
      '@orpc/server',
      'openid-client',
      'pg',
      'zod',
    ],
  },
  {
    path: 'renderer',
    may: ['renderer', 'verifier/types.ts', 'shared'],
    modules: [
      '#changelog',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
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
      'csv-parse',
      'remark-parse',
      'remark-gfm',
      'remark-rehype',
      'mdast',
      'micromark-core-commonmark',
      'micromark-extension-gfm-strikethrough',
      'micromark-util-types',
      'lowlight',
      'marked',
      'katex',
      'mermaid',
      'pdfjs-dist',
      'tesseract.js-core',
      '@tesseract.js-data/eng',
      'fflate',
      'virtua',
      'lucide-react',
      'qrcode.react',
      'jsonc-parser',
      ...STREAMS,
      '@orpc/client',
      '@orpc/contract',
      'zod',
    ],
  },
  // The sandbox must agree with the specification instead of with Sotto's code. From shared/ it takes only
  // types and what no specification defines: the token estimate and the faults that it can simulate.
  {
    path: 'sandbox',
    may: [
      'sandbox',
      'shared/token-estimate.ts',
      'shared/sandbox-faults.ts',
      'shared/sandbox-wallet-faults.ts',
    ],
    types: ['shared'],
    modules: [
      ...FILES,
      'node:http',
      'node:sqlite',
      'node:stream',
      'node:path',
      'node:timers',
      'node:url',
      'node:util',
      'node:zlib',
      ...CRYPTO,
      '@scure/base',
      '@nostr-relay',
      'fastify',
      'image-size',
      // Real nodes for developers: the package is not shipped.
      'lightningdevkit',
      'undici',
      'ws',
      'zod',
    ],
  },
]

const SOURCE = join(dirname(import.meta.dirname), 'src')

/** A feature of the window never imports another one. */
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
  if (!zone) return `src/${from} is in no zone of lint/import-walls.js`
  if (from.startsWith(FEATURES) && to.startsWith(FEATURES)) {
    const feature = from.split('/').slice(0, 3).join('/')
    if (!within(to, feature)) return `${feature} may not import another feature`
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
  if (!zone) return `src/${from} is in no zone of lint/import-walls.js`
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
    const check = (node, source, typeOnly) => {
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
      ImportDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportAllDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (/** @type {any} */ node) => check(node, node.source ?? node.argument?.literal, true),
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require')
          check(node, node.arguments[0], false)
      },
      // The ways to a module that are no import.
      Identifier: (node) => {
        if (node.name === 'getBuiltinModule' || node.name === 'createRequire')
          context.report({ node, messageId: 'wall', data: { why: 'use import' } })
      },
    }
  },
}

/** @param {any} node */
function isTypeOnly(node) {
  return node.importKind === 'type' || node.exportKind === 'type'
}
