/** For one zone: imports of its files that must pass, and imports that must be refused. */
export interface Sample {
  /** A file of the zone. */
  readonly file: string
  readonly files: { readonly allowed: readonly string[]; readonly refused: readonly string[] }
  readonly modules: { readonly allowed: readonly string[]; readonly refused: readonly string[] }
}

/** One sample for each zone of `src`. */
export const samples: Readonly<Record<string, Sample>> = {
  shared: {
    file: 'shared/contract/sotto-contract.ts',
    files: {
      allowed: ['shared/model.ts', 'verifier/types.ts'],
      refused: [
        'core/core.ts',
        'renderer/app.tsx',
        'sandbox/index.ts',
        'host/host.ts',
        'verifier/index.ts',
        'ehbp/index.ts',
      ],
    },
    modules: {
      allowed: ['fflate', 'zod', '@orpc/contract'],
      refused: ['node:crypto', 'node:fs', '@orpc/server', 'react'],
    },
  },
  verifier: {
    file: 'verifier/sev-snp/report.ts',
    files: {
      allowed: ['verifier/der/index.ts', 'verifier/contract.ts'],
      refused: [
        'shared/verdict.ts',
        'shared/localized-text.ts',
        'ehbp/index.ts',
        'core/gateway/channel/index.ts',
        'core/storage/index.ts',
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
      allowed: ['ehbp/protocol.ts'],
      refused: [
        'shared/errors.ts',
        'verifier/index.ts',
        'core/gateway/channel/index.ts',
        'core/storage/index.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto'],
      refused: ['node:fs', 'undici', 'hpke', 'ehbp', '@noble/curves/ed25519.js'],
    },
  },
  'core/storage': {
    file: 'core/storage/receipts.ts',
    files: {
      allowed: ['core/storage/vault/index.ts', 'shared/receipt.ts'],
      refused: [
        'core/gateway/relay/index.ts',
        'core/payments/index.ts',
        'core/conversations/library/index.ts',
        'core/jobs/index.ts',
        'host/host.ts',
      ],
    },
    modules: {
      allowed: ['node:sqlite', 'node:fs/promises', '@noble/ciphers/chacha.js', '@napi-rs/keyring'],
      refused: ['better-sqlite3', 'node:http', 'undici', 'electron', '@orpc/server'],
    },
  },
  'core/gateway/channel': {
    file: 'core/gateway/channel/enclave-channel.ts',
    files: {
      allowed: ['verifier/index.ts', 'ehbp/index.ts', 'shared/fetch.ts'],
      refused: [
        'verifier/der/index.ts',
        'ehbp/hpke.ts',
        'core/gateway/service/inference/chat.ts',
        'core/gateway/relay/index.ts',
        'core/storage/index.ts',
        'core/storage/vault/index.ts',
        'core/payments/index.ts',
      ],
    },
    modules: {
      allowed: ['node:crypto'],
      refused: ['undici', 'node:https', 'node:net', '@noble/curves/ed25519.js'],
    },
  },
  'core/gateway/service': {
    file: 'core/gateway/service/inference/chat.ts',
    files: {
      allowed: ['core/gateway/service/inference/chat.ts', 'shared/fetch.ts'],
      refused: [
        'core/gateway/channel/index.ts',
        'core/gateway/relay/index.ts',
        'core/gateway/pricing/index.ts',
        'core/storage/vault/index.ts',
        'core/payments/index.ts',
      ],
    },
    modules: { allowed: ['zod'], refused: ['undici', 'node:http', 'node:https', 'node:crypto'] },
  },
  'core/gateway': {
    file: 'core/gateway/proxy/proxy-server.ts',
    files: {
      allowed: [
        'core/gateway/relay/index.ts',
        'core/gateway/channel/index.ts',
        'core/gateway/service/inference/chat.ts',
        'core/app/confirm.ts',
        'shared/errors.ts',
      ],
      refused: [
        'verifier/index.ts',
        'ehbp/index.ts',
        'core/storage/index.ts',
        'core/storage/vault/index.ts',
        'core/payments/index.ts',
        'core/conversations/chat.ts',
        'core/jobs/index.ts',
        'core/create-core.ts',
        'sandbox/index.ts',
      ],
    },
    modules: {
      allowed: ['fastify', 'node:http', 'node:zlib', '@fastify/busboy', 'prom-client', 'pkijs'],
      refused: ['undici', 'node:fs', 'node:sqlite', 'gpt-tokenizer', 'openai', '@orpc/server'],
    },
  },
  'core/gateway/tokens/token-worker.ts': {
    file: 'core/gateway/tokens/token-worker.ts',
    files: {
      allowed: ['core/gateway/tokens/text.ts'],
      refused: ['core/gateway/tokens/chat.ts', 'shared/errors.ts', 'core/storage/index.ts'],
    },
    modules: { allowed: ['node:worker_threads'], refused: ['gpt-tokenizer', 'node:fs', 'node:crypto'] },
  },
  'core/gateway/tokens/text.ts': {
    file: 'core/gateway/tokens/text.ts',
    files: { allowed: [], refused: ['core/gateway/tokens/chat.ts', 'shared/errors.ts'] },
    modules: {
      allowed: ['gpt-tokenizer', 'node:timers/promises'],
      refused: ['node:fs', 'node:worker_threads'],
    },
  },
  'core/payments': {
    file: 'core/payments/nwc/wallet.ts',
    files: {
      allowed: [
        'core/payments/lightning-wallet.ts',
        'core/gateway/service/http/perform.ts',
        'core/storage/vault/index.ts',
        'shared/errors.ts',
      ],
      refused: [
        'core/gateway/proxy/proxy-server.ts',
        'core/gateway/channel/index.ts',
        'core/conversations/chat.ts',
        'core/jobs/index.ts',
        'sandbox/nwc/event.ts',
      ],
    },
    modules: {
      allowed: ['ws', '@noble/curves/secp256k1.js', '@scure/base', 'node:crypto'],
      refused: ['@getalby/sdk/nwc', 'undici', 'node:fs', 'node:http', '@nostr-relay/core', 'electron'],
    },
  },
  'core/projects': {
    file: 'core/projects/rpc.ts',
    files: {
      allowed: ['core/projects/private-only.ts', 'core/app/confirm.ts', 'shared/project.ts'],
      refused: ['core/conversations/chat.ts', 'core/gateway/relay/index.ts', 'core/storage/index.ts'],
    },
    modules: { allowed: [], refused: ['zod', 'node:fs', 'node:crypto'] },
  },
  'core/conversations': {
    file: 'core/conversations/chat.ts',
    files: {
      allowed: [
        'core/conversations/library/index.ts',
        'core/gateway/answer/index.ts',
        'core/storage/index.ts',
      ],
      refused: [
        'core/gateway/relay/index.ts',
        'core/gateway/channel/index.ts',
        'core/gateway/service/inference/chat.ts',
        'core/payments/index.ts',
        'core/jobs/index.ts',
      ],
    },
    modules: {
      allowed: ['node:zlib', 'node:crypto', 'zod'],
      refused: ['node:fs', 'node:http', 'undici', 'fastify'],
    },
  },
  'core/knowledge': {
    file: 'core/knowledge/knowledge.ts',
    files: {
      allowed: ['shared/knowledge.ts'],
      refused: ['core/gateway/relay/index.ts', 'core/jobs/index.ts'],
    },
    modules: { allowed: [], refused: ['node:fs', 'node:http', 'undici'] },
  },
  'core/jobs': {
    file: 'core/jobs/jobs.ts',
    files: {
      allowed: ['core/jobs/batch/run-batch.ts', 'core/payments/purchase-view.ts', 'shared/job.ts'],
      refused: [
        'core/gateway/relay/index.ts',
        'core/gateway/service/inference/chat.ts',
        'core/storage/index.ts',
        'core/storage/vault/index.ts',
        'core/gateway/proxy/proxy-server.ts',
      ],
    },
    modules: {
      allowed: ['csv-parse', 'fflate', 'hyparquet-writer', 'node:stream'],
      refused: ['node:fs', 'node:http', 'undici', 'exceljs'],
    },
  },
  'core/server-tools': {
    file: 'core/server-tools/key-turn.ts',
    files: {
      allowed: ['core/gateway/answer/index.ts', 'shared/errors.ts'],
      refused: ['core/gateway/relay/index.ts', 'core/tools/index.ts', 'core/storage/index.ts'],
    },
    modules: { allowed: ['node:crypto', 'eventsource-parser'], refused: ['node:http', 'node:fs'] },
  },
  'core/tools': {
    file: 'core/tools/loop.ts',
    files: {
      allowed: ['core/tools/consent.ts', 'shared/model.ts'],
      refused: ['core/conversations/chat.ts', 'core/payments/index.ts', 'core/storage/index.ts'],
    },
    modules: {
      allowed: ['node:child_process', 'node:http', 'zod'],
      refused: ['node:https', 'node:dns', 'undici'],
    },
  },
  core: {
    file: 'core/create-core.ts',
    files: {
      allowed: [
        'core/gateway/relay/index.ts',
        'core/gateway/channel/index.ts',
        'core/gateway/service/inference/chat.ts',
        'core/payments/index.ts',
        'core/jobs/index.ts',
        'core/storage/index.ts',
      ],
      refused: ['verifier/der/index.ts', 'host/host.ts', 'sandbox/index.ts', 'main/index.ts', 'cli/index.ts'],
    },
    modules: {
      allowed: ['@orpc/server', 'node:crypto', 'node:path'],
      refused: ['node:fs', 'node:http', 'undici', 'fastify', 'electron', 'zod'],
    },
  },
  host: {
    file: 'host/host.ts',
    files: {
      allowed: ['core/core.ts', 'core/storage/exclusive-lock.ts', 'sandbox/index.ts', 'shared/errors.ts'],
      refused: [
        'core/gateway/proxy/index.ts',
        'core/storage/index.ts',
        'verifier/index.ts',
        'main/index.ts',
        'cli/index.ts',
        'renderer/app.tsx',
      ],
    },
    modules: {
      allowed: ['undici', 'node:http', 'node:fs', 'pino', 'node:child_process'],
      refused: ['electron', 'fastify', 'commander', 'node:sqlite', 'pg'],
    },
  },
  main: {
    file: 'main/updates/client.ts',
    files: {
      allowed: ['main/stored-file.ts', 'host/host.ts', 'shared/updates.ts'],
      refused: ['core/core.ts', 'cli/index.ts', 'renderer/app.tsx', 'sandbox/index.ts', 'preload/bridge.ts'],
    },
    modules: {
      allowed: ['electron', 'electron-updater', 'node:http', 'zod'],
      refused: ['undici', 'node:https', 'commander', 'react'],
    },
  },
  preload: {
    file: 'preload/index.ts',
    files: {
      allowed: ['shared/desktop-channels.ts'],
      refused: ['main/index.ts', 'core/core.ts', 'host/host.ts', 'renderer/app.tsx'],
    },
    modules: { allowed: ['electron'], refused: ['node:fs', 'zod', 'node:crypto'] },
  },
  cli: {
    file: 'cli/serve.ts',
    files: {
      allowed: ['host/host.ts', 'verifier/types.ts', 'shared/errors.ts'],
      refused: ['core/core.ts', 'sandbox/index.ts', 'main/index.ts', 'renderer/app.tsx', 'verifier/index.ts'],
    },
    modules: {
      allowed: ['commander', 'cross-spawn', 'uqr', '@orpc/client', 'node:readline'],
      refused: ['electron', 'undici', 'node:http', 'react', '@orpc/server'],
    },
  },
  replica: {
    file: 'replica/database.ts',
    files: {
      allowed: [
        'core/proxy-core.ts',
        'core/storage/seal.ts',
        'host/settings.ts',
        'replica/migrate.ts',
        'shared/errors.ts',
      ],
      refused: [
        'core/gateway/channel/index.ts',
        'cli/serve.ts',
        'sandbox/index.ts',
        'main/index.ts',
        'renderer/app.tsx',
        'verifier/index.ts',
      ],
    },
    modules: {
      allowed: ['pg', 'zod', 'node:crypto', 'node:tls'],
      refused: ['node:sqlite', 'undici', 'fastify', 'electron'],
    },
  },
  renderer: {
    file: 'renderer/features/chat/send.ts',
    files: {
      allowed: ['renderer/ui/api.ts', 'renderer/features/chat/blocks.ts', 'shared/model.ts'],
      refused: [
        'core/core.ts',
        'core/gateway/pricing/index.ts',
        'host/host.ts',
        'preload/bridge.ts',
        'sandbox/index.ts',
      ],
    },
    modules: {
      allowed: [
        'fflate',
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
      allowed: [
        'sandbox/der/der.ts',
        'shared/token-estimate.ts',
        'shared/sandbox-faults.ts',
        'shared/sandbox-wallet-faults.ts',
      ],
      refused: [
        'verifier/index.ts',
        'ehbp/hpke.ts',
        'core/core.ts',
        'core/payments/nwc/wallet.ts',
        'host/host.ts',
        'shared/errors.ts',
      ],
    },
    modules: {
      allowed: [
        'fastify',
        'node:sqlite',
        'node:crypto',
        'ws',
        '@nostr-relay/core',
        'lightningdevkit',
        'undici',
      ],
      refused: ['@sigstore/verify', 'electron', '@orpc/server', '@getalby/sdk', 'commander'],
    },
  },
}
