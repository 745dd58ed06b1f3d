import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { importWalls, PACKAGES, zoneOf, zones } from '../../lint/import-walls.js'

const root = dirname(dirname(import.meta.dirname))
const linter = new Linter({ cwd: root })

/** What the rule says of `code` in src/`file`. */
function judge(file: string, code: string): string[] {
  const messages = linter.verify(
    code,
    [
      {
        files: ['**/*.ts', '**/*.tsx', '**/*.js'],
        languageOptions: { parser: tseslint.parser },
        plugins: { sotto: { rules: { 'import-walls': importWalls } } },
        rules: { 'sotto/import-walls': 'error' },
      },
    ],
    { filename: join(root, 'src', file) },
  )
  for (const { ruleId, message } of messages) if (ruleId !== 'sotto/import-walls') throw new Error(message)
  return messages.map(({ message }) => message)
}

/** The relative specifier by which src/`from` names src/`to`. */
function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
const importsFile = (from: string, to: string): string[] =>
  judge(from, `import { x } from '${specifier(from, to)}'`)
const importsType = (from: string, to: string): string[] =>
  judge(from, `import type { X } from '${specifier(from, to)}'`)
const importsModule = (from: string, name: string): string[] => judge(from, `import { x } from '${name}'`)

interface Sample {
  /** A file of the zone. */
  readonly file: string
  readonly files: { readonly allowed: readonly string[]; readonly refused: readonly string[] }
  readonly modules: { readonly allowed: readonly string[]; readonly refused: readonly string[] }
}

const samples: Readonly<Record<string, Sample>> = {
  shared: {
    file: 'shared/contract/sotto-contract.ts',
    files: {
      allowed: ['shared/model.ts'],
      refused: ['core/core.ts', 'renderer/app.tsx', 'sandbox/index.ts', 'host/index.ts'],
    },
    modules: {
      allowed: ['zod', '@orpc/contract'],
      refused: ['node:crypto', 'node:fs', '@orpc/server', 'react'],
    },
  },
  verifier: {
    file: 'verifier/sev-snp/report.ts',
    files: {
      allowed: ['verifier/der/index.ts', 'verifier/contract.ts'],
      refused: [
        'shared/verdict.ts',
        'shared/say.ts',
        'ehbp/index.ts',
        'core/channel/index.ts',
        'core/store/index.ts',
        'core/core.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto', 'node:zlib', 'zod'],
      refused: ['node:fs', 'node:http', 'undici', 'node:timers', '@sigstore/verify'],
    },
  },
  ehbp: {
    file: 'ehbp/hpke.ts',
    files: {
      allowed: ['ehbp/errors.ts'],
      refused: [
        'shared/errors.ts',
        'verifier/index.ts',
        'core/channel/index.ts',
        'core/service/http/request.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto'],
      refused: ['node:fs', 'undici', 'hpke', 'ehbp', '@noble/curves/ed25519.js'],
    },
  },
  'core/pricing': {
    file: 'core/pricing/chat.ts',
    files: {
      allowed: ['core/pricing/media.ts', 'shared/money.ts'],
      refused: ['core/payment/budget.ts', 'core/relay/index.ts', 'core/store/index.ts'],
    },
    modules: { allowed: [], refused: ['node:fs', 'node:crypto', 'fastify'] },
  },
  'core/wallet': {
    file: 'core/wallet/kept-wallet.ts',
    files: {
      allowed: ['core/payment/nwc/index.ts', 'core/vault/index.ts', 'shared/wallet.ts'],
      refused: [
        'core/store/index.ts',
        'core/relay/index.ts',
        'core/service/http/perform.ts',
        'core/api/router.ts',
      ],
    },
    modules: { allowed: ['zod'], refused: ['ws', '@getalby/sdk', 'node:fs', 'node:http'] },
  },
  'core/tokens': {
    file: 'core/tokens/chat.ts',
    files: {
      allowed: ['core/tokens/image.ts', 'shared/strict-json.ts'],
      refused: ['core/tokens/text.ts', 'core/store/index.ts', 'core/pricing/index.ts', 'core/relay/index.ts'],
    },
    modules: { allowed: ['node:worker_threads', 'image-size'], refused: ['gpt-tokenizer', 'node:fs', 'zod'] },
  },
  'core/tokens/token-worker.ts': {
    file: 'core/tokens/token-worker.ts',
    files: {
      allowed: ['core/tokens/text.ts'],
      refused: ['core/tokens/chat.ts', 'shared/errors.ts', 'core/store/index.ts'],
    },
    modules: { allowed: ['node:worker_threads'], refused: ['gpt-tokenizer', 'node:fs', 'node:crypto'] },
  },
  'core/tokens/text.ts': {
    file: 'core/tokens/text.ts',
    files: { allowed: [], refused: ['core/tokens/chat.ts', 'shared/errors.ts'] },
    modules: {
      allowed: ['gpt-tokenizer', 'node:timers/promises'],
      refused: ['node:fs', 'node:worker_threads'],
    },
  },
  'core/image-metadata': {
    file: 'core/image-metadata/png.ts',
    files: {
      allowed: ['core/image-metadata/orientation.ts', 'shared/errors.ts'],
      refused: ['core/store/index.ts', 'core/api/index.ts', 'core/relay/index.ts'],
    },
    modules: { allowed: ['node:zlib'], refused: ['node:fs', 'node:crypto', 'zod'] },
  },
  'core/dialect': {
    file: 'core/dialect/messages/writer.ts',
    files: {
      allowed: ['core/answer/index.ts', 'shared/errors.ts'],
      refused: [
        'core/relay/index.ts',
        'core/proxy/errors.ts',
        'core/service/inference/chat.ts',
        'core/store/index.ts',
      ],
    },
    modules: {
      allowed: ['zod'],
      refused: ['node:crypto', 'node:http', 'fastify', 'undici', 'openai', 'eventsource-parser'],
    },
  },
  'core/answer': {
    file: 'core/answer/reader.ts',
    files: {
      allowed: ['core/service/http/error-text.ts', 'shared/errors.ts'],
      refused: [
        'core/relay/index.ts',
        'core/dialect/dialect.ts',
        'core/api/chat.ts',
        'core/service/inference/chat.ts',
        'core/store/index.ts',
      ],
    },
    modules: { allowed: ['zod', 'eventsource-parser'], refused: ['node:crypto', 'node:http', 'undici'] },
  },
  'core/channel': {
    file: 'core/channel/enclave-channel.ts',
    files: {
      allowed: ['verifier/index.ts', 'ehbp/index.ts', 'shared/fetch.ts'],
      refused: [
        'core/service/inference/chat.ts',
        'core/store/index.ts',
        'core/relay/index.ts',
        'core/vault/index.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto'],
      refused: ['undici', 'node:https', 'node:net', '@noble/curves/ed25519.js'],
    },
  },
  'core/service': {
    file: 'core/service/inference/chat.ts',
    files: {
      allowed: ['core/service/http/request.ts', 'shared/fetch.ts'],
      refused: [
        'core/channel/index.ts',
        'core/relay/index.ts',
        'core/vault/index.ts',
        'core/pricing/index.ts',
      ],
    },
    modules: { allowed: ['zod'], refused: ['undici', 'node:http', 'node:fs'] },
  },
  'core/studio': {
    file: 'core/studio/courses/image-course.ts',
    files: {
      allowed: ['core/studio/jobs.ts', 'shared/job.ts'],
      refused: [
        'core/relay/index.ts',
        'core/payment/index.ts',
        'core/store/index.ts',
        'core/service/inference/images.ts',
        'core/service/http/perform.ts',
        'core/api/router.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto', 'node:stream', 'zod', 'csv-parse', 'hyparquet-writer'],
      refused: ['node:fs', 'node:http', 'undici', 'fastify'],
    },
  },
  'core/payment': {
    file: 'core/payment/budget.ts',
    files: {
      allowed: ['core/payment/uri.ts', 'shared/money.ts'],
      refused: [
        'core/pricing/index.ts',
        'core/store/index.ts',
        'core/vault/index.ts',
        'core/service/account/create-account.ts',
        'core/channel/index.ts',
      ],
    },
    modules: { allowed: ['zod', 'node:crypto'], refused: ['undici', 'node:sqlite', 'ws'] },
  },
  'core/vault': {
    file: 'core/vault/keychain.ts',
    files: {
      allowed: ['core/vault/vault.ts', 'shared/errors.ts'],
      refused: ['core/store/index.ts', 'core/core.ts', 'host/settings.ts'],
    },
    modules: {
      allowed: ['@napi-rs/keyring', 'node:crypto', 'node:fs/promises'],
      refused: ['keytar', 'node:sqlite', 'electron'],
    },
  },
  'core/store': {
    file: 'core/store/receipts.ts',
    files: {
      allowed: ['core/store/seal.ts', 'shared/receipt.ts'],
      refused: ['core/vault/index.ts', 'core/relay/index.ts', 'core/payment/journal.ts'],
    },
    modules: { allowed: ['node:sqlite', 'node:crypto'], refused: ['better-sqlite3', 'undici', 'node:http'] },
  },
  'core/library': {
    file: 'core/library/search.ts',
    files: {
      allowed: ['core/store/index.ts', 'core/vault/index.ts', 'shared/conversation.ts'],
      refused: [
        'core/relay/index.ts',
        'core/service/http/perform.ts',
        'core/api/router.ts',
        'core/channel/index.ts',
      ],
    },
    modules: { allowed: ['node:crypto', 'zod'], refused: ['node:fs', 'node:http', 'undici', 'node:sqlite'] },
  },
  'core/callers': {
    file: 'core/callers/index.ts',
    files: {
      allowed: ['core/callers/window-sessions.ts'],
      refused: ['core/store/index.ts', 'core/relay/index.ts', 'core/api/context.ts', 'core/proxy/index.ts'],
    },
    modules: { allowed: ['node:crypto'], refused: ['node:fs', 'zod', 'fastify', 'undici'] },
  },
  'core/consents': {
    file: 'core/consents/index.ts',
    files: {
      allowed: ['shared/consent.ts'],
      refused: ['core/store/index.ts', 'core/relay/index.ts', 'core/api/context.ts', 'core/proxy/index.ts'],
    },
    modules: { allowed: ['node:crypto'], refused: ['node:fs', 'zod', 'fastify', 'undici'] },
  },
  'core/relay': {
    file: 'core/relay/seal.ts',
    files: {
      allowed: ['core/channel/index.ts', 'core/service/inference/chat.ts', 'core/pricing/index.ts'],
      refused: [
        'core/store/index.ts',
        'core/vault/index.ts',
        'core/service/account/create-account.ts',
        'verifier/index.ts',
        'ehbp/index.ts',
      ],
    },
    modules: { allowed: ['node:crypto', 'zod'], refused: ['undici', 'fastify', 'node:fs'] },
  },
  'core/proxy/content-coding.ts': {
    file: 'core/proxy/content-coding.ts',
    files: {
      allowed: ['shared/errors.ts', 'shared/body-budget.ts'],
      refused: ['core/proxy/proxy-server.ts', 'core/relay/index.ts'],
    },
    modules: { allowed: ['node:http', 'node:zlib'], refused: ['fastify', 'node:fs'] },
  },
  'core/proxy/form.ts': {
    file: 'core/proxy/form.ts',
    files: {
      allowed: ['core/relay/index.ts', 'shared/errors.ts'],
      refused: ['core/proxy/proxy-server.ts', 'core/store/index.ts', 'core/service/http/perform.ts'],
    },
    modules: { allowed: ['@fastify/busboy'], refused: ['fastify', 'node:fs', 'node:http'] },
  },
  'core/reach': {
    file: 'core/reach/open-reach.ts',
    files: {
      allowed: ['core/reach/own-certificate.ts', 'shared/reach.ts'],
      refused: ['core/vault/index.ts', 'core/proxy/index.ts', 'verifier/x509/index.ts'],
    },
    modules: {
      allowed: ['node:crypto', 'pkijs', 'asn1js'],
      refused: ['node:http', 'node:fs', '@peculiar/x509'],
    },
  },
  'core/proxy/metrics': {
    file: 'core/proxy/metrics/exposition.ts',
    files: {
      allowed: ['core/proxy/metrics/request-tally.ts', 'shared/receipt.ts'],
      refused: ['core/relay/index.ts', 'core/store/index.ts', 'core/proxy/proxy-server.ts'],
    },
    modules: { allowed: ['prom-client'], refused: ['node:http', 'fastify', 'node:fs'] },
  },
  'core/proxy': {
    file: 'core/proxy/proxy-server.ts',
    files: {
      allowed: [
        'core/relay/index.ts',
        'core/dialect/messages/index.ts',
        'core/service/account/read/balance.ts',
        'shared/errors.ts',
      ],
      refused: [
        'core/channel/index.ts',
        'core/service/account/create-account.ts',
        'core/service/inference/chat.ts',
        'core/store/index.ts',
        'core/vault/index.ts',
        'core/api/index.ts',
      ],
    },
    modules: { allowed: ['fastify', 'node:http'], refused: ['undici', 'node:fs', '@orpc/server'] },
  },
  'core/accounts': {
    file: 'core/accounts/accounts.ts',
    files: {
      allowed: [
        'core/vault/index.ts',
        'core/service/account/keys.ts',
        'core/service/http/access.ts',
        'shared/errors.ts',
      ],
      refused: [
        'core/store/index.ts',
        'core/payment/index.ts',
        'core/relay/index.ts',
        'core/service/inference/chat.ts',
        'core/api/index.ts',
      ],
    },
    modules: { allowed: ['node:crypto', 'zod'], refused: ['node:fs', 'undici', 'node:http', '@orpc/server'] },
  },
  'core/api': {
    file: 'core/api/router.ts',
    files: {
      allowed: [
        'core/relay/index.ts',
        'core/answer/index.ts',
        'core/service/account/create-account.ts',
        'core/vault/index.ts',
        'core/store/index.ts',
      ],
      refused: [
        'core/channel/index.ts',
        'core/dialect/messages/index.ts',
        'core/service/inference/chat.ts',
        'verifier/index.ts',
        'core/proxy/index.ts',
        'host/index.ts',
      ],
    },
    modules: {
      allowed: ['@orpc/server/fetch', 'zod'],
      refused: ['fastify', 'undici', 'node:fs', 'electron'],
    },
  },
  'core/core.ts': {
    file: 'core/core.ts',
    files: {
      allowed: [
        'core/open-core.ts',
        'core/api/index.ts',
        'core/proxy/index.ts',
        'core/vault/index.ts',
        'shared/errors.ts',
      ],
      refused: [
        'core/channel/index.ts',
        'core/relay/index.ts',
        'core/store/index.ts',
        'core/payment/index.ts',
        'host/index.ts',
        'sandbox/index.ts',
        'renderer/app.tsx',
        'main/index.ts',
      ],
    },
    modules: { allowed: [], refused: ['node:crypto', 'undici', 'electron', 'fastify', 'node:sqlite'] },
  },
  'core/auto-lock.ts': {
    file: 'core/auto-lock.ts',
    files: {
      allowed: ['shared/lock.ts'],
      refused: ['core/core.ts', 'core/store/index.ts', 'core/vault/index.ts', 'host/index.ts'],
    },
    modules: { allowed: [], refused: ['node:crypto', 'node:fs', 'zod'] },
  },
  'core/open-channel.ts': {
    file: 'core/open-channel.ts',
    files: {
      allowed: ['core/api/privacy-choices.ts', 'core/channel/index.ts', 'shared/direct.ts'],
      refused: [
        'core/relay/index.ts',
        'core/store/index.ts',
        'verifier/index.ts',
        'host/index.ts',
        'sandbox/index.ts',
        'renderer/app.tsx',
      ],
    },
    modules: { allowed: [], refused: ['node:crypto', 'undici', 'node:fs', 'zod'] },
  },
  'core/open-service-enclave.ts': {
    file: 'core/open-service-enclave.ts',
    files: {
      allowed: ['core/api/service-enclave-choices.ts', 'core/channel/index.ts', 'shared/profile.ts'],
      refused: [
        'core/relay/index.ts',
        'core/store/index.ts',
        'verifier/index.ts',
        'host/index.ts',
        'sandbox/index.ts',
        'renderer/app.tsx',
      ],
    },
    modules: { allowed: [], refused: ['node:crypto', 'undici', 'node:fs', 'zod'] },
  },
  'core/open-core.ts': {
    file: 'core/open-core.ts',
    files: {
      allowed: [
        'core/channel/index.ts',
        'core/service/inference/models.ts',
        'core/store/index.ts',
        'shared/errors.ts',
      ],
      refused: ['host/index.ts', 'sandbox/index.ts', 'renderer/app.tsx', 'main/index.ts'],
    },
    modules: {
      allowed: ['node:crypto', 'node:path'],
      refused: ['undici', 'electron', 'fastify', 'node:sqlite'],
    },
  },
  'host/log': {
    file: 'host/log/open-log.ts',
    files: {
      allowed: ['shared/log-events.ts', 'shared/closed-log-form.ts'],
      refused: ['core/core.ts', 'host/settings.ts', 'sandbox/index.ts'],
    },
    modules: {
      allowed: ['pino', 'rotating-file-stream', 'node:fs'],
      refused: ['zod', 'node:http', 'undici', 'fastify'],
    },
  },
  'host/core-dumps.ts': {
    file: 'host/core-dumps.ts',
    files: { allowed: [], refused: ['host/settings.ts', 'shared/errors.ts', 'core/core.ts'] },
    modules: {
      allowed: ['node:child_process', 'node:fs', 'node:util'],
      refused: ['node:http', 'undici', 'electron'],
    },
  },
  host: {
    file: 'host/host.ts',
    files: {
      allowed: ['core/core.ts', 'sandbox/index.ts', 'shared/errors.ts'],
      refused: [
        'core/open-core.ts',
        'core/relay/index.ts',
        'core/channel/index.ts',
        'core/store/index.ts',
        'main/index.ts',
        'cli/serve.ts',
        'renderer/app.tsx',
      ],
    },
    modules: {
      allowed: ['undici', 'node:http', 'node:os'],
      refused: ['electron', 'node:sqlite', 'fastify', 'node:child_process'],
    },
  },
  main: {
    file: 'main/index.ts',
    files: {
      allowed: ['host/index.ts', 'main/tray.ts', 'shared/confirm.ts'],
      refused: ['core/core.ts', 'sandbox/index.ts', 'renderer/app.tsx', 'preload/index.ts', 'cli/serve.ts'],
    },
    modules: {
      allowed: ['electron', 'node:path', 'zod', '@lingui/core'],
      refused: ['react', 'undici', 'node:http', 'node:child_process', 'fastify', 'electron-updater'],
    },
  },
  'main/updates': {
    file: 'main/updates/client.ts',
    files: {
      allowed: ['host/index.ts', 'main/kept-file.ts', 'main/updates/feed.ts', 'shared/updates.ts'],
      refused: ['core/core.ts', 'main/shell.ts', 'renderer/app.tsx', 'cli/verify-release.ts'],
    },
    modules: {
      allowed: ['electron', 'electron-updater', 'node:crypto'],
      refused: ['undici', 'node:https', 'node:child_process', 'react'],
    },
  },
  preload: {
    file: 'preload/index.ts',
    files: {
      allowed: ['preload/bridge.ts', 'shared/theme-channel.ts'],
      refused: ['main/theme.ts', 'host/index.ts', 'core/core.ts', 'renderer/app.tsx'],
    },
    modules: { allowed: ['electron'], refused: ['node:fs', 'zod', 'react'] },
  },
  cli: {
    file: 'cli/serve.ts',
    files: {
      allowed: ['host/index.ts', 'cli/open.ts', 'shared/errors.ts'],
      refused: ['core/core.ts', 'sandbox/index.ts', 'main/index.ts', 'renderer/ui/api.ts'],
    },
    modules: {
      allowed: ['commander', '@orpc/client/fetch'],
      refused: ['electron', 'undici', 'react', 'node:sqlite'],
    },
  },
  'cli/terminal-qr.ts': {
    file: 'cli/terminal-qr.ts',
    files: { allowed: [], refused: ['host/index.ts', 'cli/index.ts', 'shared/errors.ts'] },
    modules: { allowed: ['uqr'], refused: ['node:fs', 'commander', 'qrcode.react'] },
  },
  'cli/run-tool.ts': {
    file: 'cli/run-tool.ts',
    files: {
      allowed: ['shared/tools/runnable.ts'],
      refused: ['host/index.ts', 'cli/index.ts', 'core/core.ts'],
    },
    modules: {
      allowed: ['cross-spawn', 'node:fs', 'node:os'],
      refused: ['node:child_process', 'node:http', 'commander'],
    },
  },
  'cli/compile-cache.ts': {
    file: 'cli/compile-cache.ts',
    files: { allowed: [], refused: ['host/index.ts', 'cli/index.ts', 'shared/errors.ts'] },
    modules: {
      allowed: ['node:module', 'node:path', 'node:fs'],
      refused: ['node:http', 'commander', 'node:child_process'],
    },
  },
  renderer: {
    file: 'renderer/features/chat/send.ts',
    files: {
      allowed: ['renderer/ui/api.ts', 'renderer/features/chat/blocks.ts', 'shared/model.ts'],
      refused: [
        'core/core.ts',
        'core/pricing/index.ts',
        'host/index.ts',
        'preload/bridge.ts',
        'sandbox/index.ts',
      ],
    },
    modules: {
      allowed: [
        'react',
        'react-dom/client',
        'zustand',
        '@tanstack/react-query',
        'jsonc-parser',
        '@lingui/core/macro',
        '@lingui/react/macro',
      ],
      refused: ['electron', 'node:crypto', 'fastify', '@orpc/server'],
    },
  },
  sandbox: {
    file: 'sandbox/world/amd.ts',
    files: {
      allowed: ['sandbox/der/der.ts'],
      refused: ['verifier/index.ts', 'ehbp/hpke.ts', 'core/core.ts', 'host/index.ts', 'shared/errors.ts'],
    },
    modules: {
      allowed: ['fastify', 'node:sqlite', 'node:crypto'],
      refused: ['@sigstore/verify', 'undici', 'electron', '@orpc/server'],
    },
  },
  'sandbox/nwc': {
    file: 'sandbox/nwc/connection.ts',
    files: {
      allowed: ['sandbox/random.ts'],
      refused: ['core/payment/wallet.ts', 'core/core.ts', 'host/index.ts', 'shared/errors.ts'],
    },
    modules: {
      allowed: ['undici', '@noble/curves/secp256k1.js'],
      refused: ['fastify', 'node:sqlite', 'electron'],
    },
  },
  'core/payment/nwc': {
    file: 'core/payment/nwc/wallet.ts',
    files: {
      allowed: ['core/payment/lightning-wallet.ts', 'shared/errors.ts'],
      refused: [
        'core/vault/index.ts',
        'core/store/index.ts',
        'core/service/index.ts',
        'sandbox/nwc/event.ts',
      ],
    },
    modules: {
      allowed: ['@noble/ciphers/chacha.js', 'ws', 'node:crypto', 'zod'],
      refused: ['@getalby/sdk/nwc', 'undici', 'node:fs', '@nostr-relay/core', 'electron'],
    },
  },
  'sandbox/lightning': {
    file: 'sandbox/lightning/ldk-node.ts',
    files: {
      allowed: ['sandbox/payment/lightning-node.ts'],
      refused: ['core/payment/nwc/wallet.ts', 'core/core.ts', 'host/index.ts', 'shared/errors.ts'],
    },
    modules: { allowed: ['lightningdevkit', 'node:url'], refused: ['fastify', 'undici', 'ws', 'electron'] },
  },
  'sandbox/wallet': {
    file: 'sandbox/wallet/relay.ts',
    files: {
      allowed: ['sandbox/nwc/event.ts'],
      refused: ['core/payment/nwc/wallet.ts', 'core/core.ts', 'host/index.ts', 'shared/errors.ts'],
    },
    modules: {
      allowed: ['ws', '@nostr-relay/core', 'zod'],
      refused: ['@getalby/sdk', 'fastify', 'undici', 'electron'],
    },
  },
}

describe('every zone', () => {
  it('is sampled here', () =>
    expect(Object.keys(samples).sort()).toEqual(zones.map(({ path }) => path).sort()))

  describe.each(Object.entries(samples))('%s', (path, { file, files, modules }) => {
    it('holds its sample', () => expect(zoneOf(file)?.path).toBe(path))
    it.each(files.allowed)('may import %s', (to) => expect(importsFile(file, to)).toEqual([]))
    it.each(files.refused)('may not import %s', (to) =>
      expect(importsFile(file, to)).toEqual([`${path} may not import ${to}`]),
    )
    if (modules.allowed.length > 0)
      it.each(modules.allowed)('may import the module %s', (name) =>
        expect(importsModule(file, name)).toEqual([]),
      )
    it.each(modules.refused)('may not import the module %s', (name) =>
      expect(importsModule(file, name)).toEqual([`${path} may not import ${name}`]),
    )
  })
})

describe('what a zone is given', () => {
  const source = join(root, 'src')
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
  const imported = new Map<string, string[]>()
  for (const file of files) {
    const path = zoneOf(file)?.path ?? ''
    const named = [
      ...readFileSync(join(source, file), 'utf8').matchAll(
        /(?:from|import\(?|getBuiltinModule\()\s*'([^']+)'/g,
      ),
    ].map(([, name = '']) =>
      name.startsWith('.') ? relative(source, join(source, dirname(file), name)) : name,
    )
    imported.set(path, [...(imported.get(path) ?? []), ...named])
  }

  it.each(zones.map((zone) => [zone.path, zone] as const))(
    '%s has a use for',
    (path, { may, types = [], modules }) => {
      const given = [...may.filter((folder) => folder !== path), ...types, ...modules]
      expect(
        given.filter((name) => !imported.get(path)?.some((to) => to === name || to.startsWith(`${name}/`))),
      ).toEqual([])
    },
  )
})

/** One file in each zone and, of the core, in each part. */
const everywhere = Object.values(samples).map(({ file }) => file)
const where = (allowed: (file: string) => boolean): { may: string[]; mayNot: string[] } => ({
  may: everywhere.filter(allowed),
  mayNot: everywhere.filter((file) => !allowed(file)),
})

describe('the walls of the design', () => {
  it('keep the renderer from the core, also by its types', () => {
    expect(importsFile('renderer/app.tsx', 'core/core.ts')).not.toEqual([])
    expect(importsType('renderer/app.tsx', 'core/core.ts')).not.toEqual([])
  })
  it('leave one way out: channel and service/inference are for relay and what opens the core', () => {
    for (const to of ['core/channel/index.ts', 'core/service/inference/chat.ts']) {
      const { may, mayNot } = where((file) => importsFile(file, to).length === 0)
      const own = to.startsWith('core/channel')
        ? ['core/channel/enclave-channel.ts', 'core/open-channel.ts', 'core/open-service-enclave.ts']
        : ['core/service/inference/chat.ts']
      expect(may.sort()).toEqual([...own, 'core/open-core.ts', 'core/relay/seal.ts'].sort())
      expect(mayNot).toContain('core/proxy/proxy-server.ts')
      expect(mayNot).toContain('core/api/router.ts')
    }
  })
  it('keep the leaves from each other', () => {
    const leaves = ['verifier', 'ehbp', 'core/service', 'core/pricing', 'core/vault', 'core/store']
    for (const from of leaves)
      for (const to of leaves) {
        if (from === to) continue
        expect(importsFile(`${from}/a.ts`, `${to}/index.ts`), `${from} -> ${to}`).toHaveLength(1)
        expect(importsType(`${from}/a.ts`, `${to}/index.ts`), `${from} -> type of ${to}`).toHaveLength(1)
      }
  })
  it.each(Object.entries(PACKAGES))('show only the entries of the package %s', (name, entries) => {
    const inside = (path: string) => path === name || path.startsWith(`${name}/`)
    const permitted = zones
      .filter(({ path }) => !inside(path))
      .flatMap(({ may, types = [] }) => [...may, ...types])
      .filter(inside)
    expect([...new Set(permitted)].sort()).toEqual([...entries].sort())
  })
  it.each(Object.keys(PACKAGES))('let the package %s import nothing but itself', (name) => {
    expect(zoneOf(`${name}/a.ts`)).toMatchObject({ path: name, may: [name] })
    expect(zones.filter(({ path }) => path.startsWith(`${name}/`))).toEqual([])
  })
  it('keep the sandbox from our code: of shared/ it takes types, and nothing that runs', () => {
    expect(importsType('sandbox/profile.ts', 'shared/profile.ts')).toEqual([])
    expect(importsFile('sandbox/profile.ts', 'shared/profile.ts')).toHaveLength(1)
    expect(judge('sandbox/profile.ts', "import { type Profile } from '../shared/profile.ts'")).toHaveLength(1)
    expect(judge('sandbox/profile.ts', "export type { Profile } from '../shared/profile.ts'")).toEqual([])
    expect(judge('sandbox/profile.ts', "export { profileSchema } from '../shared/profile.ts'")).toHaveLength(
      1,
    )
    expect(importsType('sandbox/profile.ts', 'core/core.ts')).toHaveLength(1)
  })
  it('keep one feature of the window from another', () => {
    expect(importsFile('renderer/features/chat/send.ts', 'renderer/features/wallet/pay.ts')).toEqual([
      'renderer/features/chat may not import another feature',
    ])
    expect(importsFile('renderer/features/chat/send.ts', 'renderer/features/chat-more/a.ts')).toHaveLength(1)
    expect(importsFile('renderer/features/chat/deep/a.ts', 'renderer/features/chat/send.ts')).toEqual([])
    expect(
      importsFile('renderer/features/studio/images/images-tab.tsx', 'renderer/features/data/data-room.tsx'),
    ).toEqual(['renderer/features/studio may not import another feature'])
    expect(
      importsFile('renderer/features/studio/images/images-tab.tsx', 'renderer/ui/jobs/jobs-store.ts'),
    ).toEqual([])
    expect(
      importsFile('renderer/features/data/batch/batch-tab.tsx', 'renderer/features/studio/studio-room.tsx'),
    ).toHaveLength(1)
    expect(importsFile('renderer/ui/jobs/job-card.tsx', 'core/studio/index.ts')).toHaveLength(1)
    expect(importsFile('renderer/app.tsx', 'renderer/features/chat/send.ts')).toEqual([])
  })
  it.each([
    ['electron', ['main/index.ts', 'main/updates/client.ts', 'preload/index.ts']],
    ['electron-updater', ['main/updates/client.ts']],
    ['react', ['renderer/features/chat/send.ts']],
    ['fastify', ['core/proxy/proxy-server.ts', 'sandbox/world/amd.ts']],
    ['node:sqlite', ['core/store/receipts.ts', 'sandbox/world/amd.ts']],
    ['undici', ['host/host.ts', 'sandbox/nwc/connection.ts']],
    ['@getalby/sdk', []],
    ['ws', ['core/payment/nwc/wallet.ts', 'sandbox/wallet/relay.ts']],
    ['@nostr-relay/core', ['sandbox/wallet/relay.ts']],
    ['lightningdevkit', ['sandbox/lightning/ldk-node.ts']],
  ])('have %s only where it belongs', (name, belongs) => {
    expect(where((file) => importsModule(file, name).length === 0).may.sort()).toEqual([...belongs].sort())
  })
})

describe('the rule', () => {
  const file = 'renderer/app.tsx'
  it.each([
    ['import', "import x from 'electron'"],
    ['import for its effects', "import 'electron'"],
    ['import of everything', "import * as x from 'electron'"],
    ['import of a type', "import type { X } from 'electron'"],
    ['export … from', "export { x } from 'electron'"],
    ['export of everything', "export * from 'electron'"],
    ['export of a type', "export type { X } from 'electron'"],
    ['import()', "const x = await import('electron')"],
    ['import() in an expression', "void import('electron').then((x) => x)"],
    ['require()', "const x = require('electron')"],
    ['import type', "let x: import('electron').App"],
    ['typeof import', "let x: typeof import('electron')"],
    ['a module below the package', "import x from 'electron/main'"],
    ['a query after it', "import x from 'electron?raw'"],
    ['a file', "import x from '../core/core.ts'"],
    ['import() of a file', "const x = await import('../core/core.ts')"],
    ['require() of a file', "const x = require('../core/core.ts')"],
    ['import type of a file', "let x: import('../core/core.ts').Core"],
    ['a file, the long way round', "import x from '../renderer/./ui/../../core/core.ts'"],
    ['a file of the same name outside src/', "import x from '../../core/core.ts'"],
    ['a file outside that reads like one inside', "import x from '../../../src/renderer/ui/api.ts'"],
    ['an absolute file', "import x from '/etc/passwd'"],
    ['a URL', "import x from 'data:text/javascript,1'"],
    ['a package that begins alike', "import x from 'react-dom-else'"],
    ['the way past import', "const x = process.getBuiltinModule('node:fs')"],
    ['the other way past import', 'const x = createRequire(import.meta.url)'],
  ])('judges %s', (_kind, code) => expect(judge(file, code)).toHaveLength(1))
  it.each([
    ['a name that is computed', 'const x = await import(name)'],
    ['a name that is put together', "const x = await import('re' + 'act')"],
    ['a template', 'const x = await import(`react`)'],
    ['require of a variable', 'const x = require(name)'],
  ])('refuses %s', (_kind, code) =>
    expect(judge(file, code)).toEqual(['an import names its module in plain text']),
  )
  it.each([
    ['what it may', "import x from 'react'"],
    ['a style', "import styles from './ui/a.module.css'"],
    ['an export of its own', 'export const x = 1'],
    ['a method of that name', "const x = loader.require('electron')"],
  ])('lets %s', (_kind, code) => expect(judge(file, code)).toEqual([]))
  it('refuses everything in a folder that no zone covers', () => {
    for (const stray of ['stray/a.ts', 'core/stray/a.ts', 'core/stray.ts', 'stray.ts', 'corelike/a.ts']) {
      expect(judge(stray, "import { z } from 'zod'"), stray).toEqual([
        `src/${stray} stands in no zone of lint/import-walls.js`,
      ])
      expect(importsFile(stray, 'shared/model.ts'), stray).toHaveLength(1)
    }
  })
  it('has a zone for every source file that there is', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const paths = files.map((entry) =>
      relative(join(root, 'src'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    )
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => zoneOf(path) === undefined)).toEqual([])
  })
  it('judges nothing outside src/', () => {
    const [message] = linter.verify(
      "import 'electron'",
      [
        {
          plugins: { sotto: { rules: { 'import-walls': importWalls } } },
          rules: { 'sotto/import-walls': 'error' },
        },
      ],
      { filename: join(root, 'test/src/a.js') },
    )
    expect(message).toBeUndefined()
  })
})

describe('the configuration', () => {
  const eslint = new ESLint({ cwd: root })
  const severity = async (file: string, rule: string): Promise<unknown> => {
    const config = (await eslint.calculateConfigForFile(join(root, file))) as {
      rules: Record<string, unknown[]>
    }
    return config.rules[rule]?.[0]
  }
  const sources = everywhere.map((file) => `src/${file}`)

  it.each([
    'sotto/import-walls',
    '@typescript-eslint/no-explicit-any',
    '@typescript-eslint/consistent-type-assertions',
    '@typescript-eslint/no-non-null-assertion',
    '@typescript-eslint/no-floating-promises',
    '@typescript-eslint/switch-exhaustiveness-check',
    'no-restricted-syntax',
    'no-restricted-globals',
  ])('has %s as an error in every zone', async (rule) => {
    for (const file of sources) expect(await severity(file, rule), file).toBe(2)
  })
  it('allows the global fetch at the window’s one door alone', async () => {
    expect(await severity('src/renderer/ui/api.ts', 'no-restricted-globals')).toBe(0)
  })
  it('refuses what it must in the core', async () => {
    const lines = [
      ['export default 1', 'no-restricted-syntax'],
      ['export const a: any = 1', '@typescript-eslint/no-explicit-any'],
      ['export const b = JSON.parse("1") as number', '@typescript-eslint/consistent-type-assertions'],
      ['export const c = <number>JSON.parse("1")', '@typescript-eslint/consistent-type-assertions'],
      ['export const d = (): Promise<unknown> => fetch("https://example.com")', 'no-restricted-globals'],
      ['export const e = new WebSocket("wss://example.com")', 'no-restricted-globals'],
      ['console.log(1)', 'no-console'],
      ['import "electron"', 'sotto/import-walls'],
    ] as const
    // None of these rules needs types, whose making would take most of this test's time.
    const untyped = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] })
    const [result] = await untyped.lintText(`${lines.map(([code]) => code).join('\n')}\n`, {
      filePath: join(root, 'src/core/core.ts'),
    })
    const found = lines.map((_, index) =>
      (result?.messages ?? [])
        .filter(({ line, severity: of }) => line === index + 1 && of === 2)
        .map(({ ruleId }) => ruleId),
    )
    for (const [index, [code, rule]] of lines.entries()) expect(found[index], code).toContain(rule)
  })
})
