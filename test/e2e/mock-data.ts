import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { SandboxRoute } from '../../src/shared/sandbox-routes.ts'
import type { Status } from '../../src/shared/status.ts'
import type { Verdict, VerdictStep } from '../../src/shared/verdict.ts'
import { legible } from '../../src/verifier/text.ts'
import { msg } from '../../src/shared/localized-text.ts'

/** Deterministic hex that looks like a digest. */
export function hex(seed: number, bytes: number): string {
  let state = (seed * 2654435761) >>> 0
  let text = ''
  while (text.length < bytes * 2) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += state.toString(16).padStart(8, '0')
  }
  return text.slice(0, bytes * 2)
}

const USD = 10n ** 12n
export const usd = (dollars: number): string =>
  String((BigInt(Math.round(dollars * 1e9)) * USD) / 1_000_000_000n)

export function sandboxStatus(): Status {
  return {
    version: '0.1.0',
    service: {
      profileId: 'sandbox',
      name: 'Sandbox',
      kind: 'sandbox',
      baseUrl: 'http://127.0.0.1:40123',
      revision: 'B',
      hasPolicy: true,
      enclaveHost: 'router.sandbox.example',
      trust: 'sandbox',
      openChat: 'forwarded',
    },
    firstStart: false,
    vault: { kind: 'keychain', state: 'open' },
    account: { connected: true, creditIdMasked: '…c41f', name: 'Account' },
    proxy: { baseUrl: 'http://127.0.0.1:7788/v1', serving: true },
    notices: [],
  }
}

export function serviceStatus(): Status {
  const status = sandboxStatus()
  return {
    ...status,
    service: {
      profileId: 'main',
      name: 'The service',
      kind: 'service',
      baseUrl: 'https://api.service.example',
      revision: 'B',
      hasPolicy: true,
      enclaveHost: 'inference.service.example',
      trust: 'built-in',
      openChat: 'forwarded',
    },
  }
}

export const models: readonly Model[] = [
  {
    id: 'private/sandbox-large',
    name: 'Sandbox Large',
    provider: 'sandbox',
    type: 'chat',
    private: true,
    contextLength: 131_072,
    inputPerMillion: usd(0.9),
    outputPerMillion: usd(2.7),
  },
  {
    id: 'private/sandbox-small',
    name: 'Sandbox Small',
    provider: 'sandbox',
    type: 'chat',
    private: true,
    contextLength: 32_768,
    inputPerMillion: usd(0.075),
    outputPerMillion: usd(0.3),
  },
  {
    id: 'sandbox/echo',
    name: 'Echo',
    provider: 'sandbox',
    type: 'chat',
    private: false,
    contextLength: 16_384,
    inputPerMillion: usd(0.1),
    outputPerMillion: usd(0.1),
  },
  {
    id: 'sandbox/essayist-with-a-rather-long-identifier-2026-10-31',
    name: 'Essayist',
    provider: 'sandbox',
    type: 'chat',
    private: false,
    contextLength: 1_048_576,
  },
  { id: 'sandbox/painter', name: 'Painter', provider: 'sandbox', type: 'image', private: false },
]

/** Image and video models, as the price list has them. */
export const mediaModels: readonly Model[] = [
  {
    id: 'sandbox/painter',
    name: 'Painter',
    provider: 'sandbox',
    type: 'image',
    private: false,
    inputModalities: ['text', 'image'],
    mediaPrice: {
      base: usd(0.0805),
      tables: [
        {
          by: 'quality',
          of: {
            low: { by: 'resolution', of: { '1K': usd(0.02), '2K': usd(0.03) } },
            medium: { by: 'resolution', of: { '1K': usd(0.0805), '2K': usd(0.12) } },
            high: { by: 'resolution', of: { '1K': usd(0.2), '2K': usd(0.3) } },
          },
        },
      ],
    },
  },
  {
    id: 'sandbox/sketcher',
    name: 'Sketcher',
    provider: 'sandbox',
    type: 'image',
    private: false,
    inputModalities: ['text'],
    mediaPrice: { base: usd(0.0115), tables: [] },
  },
  {
    id: 'sandbox/lens-upscale',
    name: 'Lens Upscale',
    provider: 'sandbox',
    type: 'image',
    private: false,
    inputModalities: ['image'],
    mediaPrice: { base: usd(0.023), tables: [] },
  },
  {
    id: 'sandbox/cutter-background',
    name: 'Cutter Background Removal',
    provider: 'sandbox',
    type: 'image',
    private: false,
    inputModalities: ['image'],
    mediaPrice: { base: usd(0.00575), tables: [] },
  },
  {
    id: 'sandbox/carousel-video',
    name: 'Carousel Video',
    provider: 'sandbox',
    type: 'video',
    private: false,
    inputModalities: ['text', 'image'],
    mediaPrice: { perSecond: usd(0.05), tables: [] },
  },
]

/** Some of the sandbox's routes. */
export function sandboxRoutes(): SandboxRoute[] {
  const route = (group: string, name: string, description: string, fails = true): SandboxRoute => ({
    name,
    group,
    description,
    fails,
    fault: null,
  })
  return [
    route('Chat', 'POST /v1/chat/completions', 'Reply to a chat'),
    route('Models', 'GET /v1/models', 'List models'),
    route('Accounts', 'POST /accounts/create', 'Create an account'),
    route('Accounts', 'POST /credits/balance', 'Get the balance'),
    route('Images', 'POST /v1/images/generations', 'Generate or edit an image'),
    route('Images', 'POST /v1/images/edits', 'Edit image'),
    ...[
      '/api/maps/text-search/full',
      '/api/maps/text-search/partial',
      '/api/people/people-search',
      '/x/tweets/search',
    ].map((path) => route('Data', `POST /v1/data${path}`, 'Query a data endpoint')),
    route('Private chat', 'GET /private/attestation', 'Get the enclave’s evidence', false),
    route('Private chat', 'POST /private/v1/chat/completions', 'Reply to a private chat', false),
  ]
}

const steps: readonly VerdictStep[] = [
  {
    id: 'evidence/document',
    title: 'Evidence document has the expected format',
    outcome: 'passed',
    required: true,
    expected: msg('a JSON document of at most 256 KiB with every part'),
    observed: msg('a JSON document of at most 256 KiB with every part'),
  },
  {
    id: 'vcek/chain',
    title: 'Chip certificate was issued by AMD',
    outcome: 'passed',
    required: true,
    expected: msg('issued by {product}', { product: 'SEV-Genoa' }),
    observed: msg('issued by {product}', { product: 'SEV-Genoa' }),
  },
  {
    id: 'amd/revocation',
    title: 'AMD hasn’t revoked the certificate chain',
    outcome: 'not-checked',
    required: false,
    expected: msg('absent from AMD’s revocation list'),
    observed: msg('the evidence contains no revocation list'),
  },
  {
    id: 'report/signature',
    title: 'Report is signed by the chip',
    outcome: 'passed',
    required: true,
    expected: msg('a signature by the certified key'),
    observed: msg('a signature by the certified key'),
  },
  {
    id: 'report/debug',
    title: 'Guest debugging is disabled',
    outcome: 'passed',
    required: true,
    expected: msg('debugging not allowed'),
    observed: msg('debugging not allowed'),
  },
  {
    id: 'report/tcb',
    title: 'Firmware patch levels meet the minimum',
    outcome: 'passed',
    required: true,
    expected: legible('bootloader 7, TEE 0, SNP 14, microcode 72'),
    observed: legible('bootloader 9, TEE 0, SNP 22, microcode 84'),
  },
  {
    id: 'sigstore/signature',
    title: 'Statement is the one that was signed',
    outcome: 'passed',
    required: true,
    expected: msg('a signature by the certified key'),
    observed: msg('a signature by the certified key'),
  },
  {
    id: 'measurement/match',
    title: 'Enclave runs the code of the release',
    outcome: 'passed',
    required: true,
    expected: legible(hex(7, 48)),
    observed: legible(hex(7, 48)),
  },
  {
    id: 'binding/hpke-key',
    title: 'TLS certificate names the encryption key attested by the hardware',
    claim: true,
    outcome: 'passed',
    required: true,
    expected: legible(hex(9, 32)),
    observed: legible(hex(9, 32)),
  },
]

export function goodVerdict(now: number): Verdict {
  return {
    good: true,
    steps: [...steps],
    trust: 'sandbox',
    platform: 'AMD SEV-SNP, Genoa',
    enclaveHost: 'router.sandbox.example',
    measurement: hex(7, 48),
    registers: [{ name: 'MEASUREMENT', hex: hex(7, 48) }],
    release: {
      repository: 'sandbox-example/router',
      tag: 'v1.4.2',
      digest: hex(3, 32),
      commit: hex(4, 20),
      loggedAt: now - 86_400_000 * 6,
    },
    hpkePublicKey: hex(9, 32),
    tlsKeyFingerprint: hex(10, 32),
    freshness: { kind: 'at-least-as-new-as', logTime: now - 86_400_000 * 6 },
    verifiedAt: now - 61_000,
    validUntil: now + 3_539_000,
    evidenceDigest: hex(11, 32),
  }
}

export function refusedVerdict(now: number): Verdict {
  const good = goodVerdict(now)
  const at = steps.findIndex(({ id }) => id === 'measurement/match')
  const { hpkePublicKey: _key, tlsKeyFingerprint: _tls, ...rest } = good
  return {
    ...rest,
    good: false,
    steps: steps.map((step, index) => {
      if (index < at) return step
      if (index === at)
        return { ...step, outcome: 'failed', observed: legible(hex(99, 48)), code: 'evidence/malformed' }
      return { ...step, outcome: 'not-reached', observed: [] }
    }),
    failure: {
      step: 'measurement/match',
      code: 'evidence/malformed',
      says: 'The enclave runs different code from the logged release.',
    },
  }
}

export function receipt(id: string, at: number, part: Partial<Receipt> = {}): Receipt {
  return {
    id,
    at,
    caller: { kind: 'window' },
    service: 'sandbox',
    model: 'private/sandbox-large',
    path: '/private/v1/chat/completions',
    privacy: 'sealed',
    outcome: 'complete',
    enclave: {
      host: 'router.sandbox.example',
      measurement: hex(7, 48),
      releaseTag: 'v1.4.2',
      verifiedAt: at - 60_000,
      evidenceDigest: hex(11, 32),
      hpkePublicKey: hex(9, 32),
    },
    requestDigest: hex(21, 32),
    responseDigest: hex(22, 32),
    bytesSent: 1432,
    bytesReceived: 6120,
    usage: { prompt: 212, completion: 430 },
    estimate: { least: usd(0.00019), most: usd(0.0031) },
    cost: usd(0.0013518),
    firstByteMs: 412,
    durationMs: 3960,
    ...part,
  }
}

export function refusedReceipt(id: string, at: number): Receipt {
  const {
    enclave: _e,
    requestDigest: _q,
    responseDigest: _r,
    usage: _u,
    cost: _c,
    firstByteMs: _f,
    ...rest
  } = receipt(id, at)
  return {
    ...rest,
    privacy: 'refused',
    outcome: 'refused',
    code: 'attestation/failed',
    step: 'measurement/match',
    bytesSent: 0,
    bytesReceived: 0,
  }
}

export interface StoredConversation {
  conversation: Conversation
  messages: Message[]
}

export function conversation(
  id: string,
  title: string,
  at: number,
  texts: readonly (readonly [string, string])[],
  part: Partial<Conversation> = {},
): StoredConversation {
  const isPrivate = part.private ?? true
  const model = part.model ?? (isPrivate ? 'private/sandbox-large' : 'sandbox/echo')
  const messages = texts.flatMap(([question, answer], index): Message[] => [
    {
      id: `${id}-q${index}`,
      conversationId: id,
      role: 'user',
      text: question,
      state: 'complete',
      createdAt: at + index * 60_000,
    },
    {
      id: `${id}-a${index}`,
      conversationId: id,
      role: 'assistant',
      text: answer,
      state: 'complete',
      model,
      privacy: isPrivate ? 'sealed' : 'forwarded',
      receiptId: `r-${id}-${index}`,
      createdAt: at + index * 60_000 + 4000,
    },
  ])
  return {
    conversation: { id, title, private: isPrivate, model, createdAt: at, updatedAt: at, ...part },
    messages,
  }
}

export const richAnswer = `A short answer first: **yes**, and it costs about as much as one \`AES-256-GCM\` pass over the text.

## How it is sealed

1. The enclave's report is fetched and *judged here*.
2. Its X25519 key is taken from the report, and from nowhere else.
3. The body is sealed with [HPKE](https://www.rfc-editor.org/rfc/rfc9180.html), as RFC 9180 says.
   - Base mode, no pre-shared key
   - One context for each request

> What is not in the report is not trusted, even if it comes from the same address.

| Primitive | Key | µs for 2 KB |
|:--|:--|--:|
| X25519 | 32 bytes | 69 |
| HKDF-SHA256 | – | 90 |
| AES-256-GCM | 32 bytes | 19 |

\`\`\`ts
import { createCipheriv } from 'node:crypto'

/** Seals one chunk; the counter never repeats under one key. */
export function seal(key: Uint8Array, nonce: Uint8Array, text: string): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}
\`\`\`

- [x] Sealed on the way out
- [ ] Signed by the model

![A diagram of the enclave](https://pictures.example/enclave.png)

That is all there is to it.`
