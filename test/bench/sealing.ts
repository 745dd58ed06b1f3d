import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { Identity } from 'ehbp'
import { knownAnswersHold, createRequestSealer } from '../../src/ehbp/index.ts'
import { deriveResponseKeys } from '../../src/ehbp/response-keys.ts'
import { native } from '../../src/ehbp/native.ts'
import { portable } from '../ehbp/portable.ts'
import { setupRequest } from '../../src/ehbp/request-sealer.ts'
import { createResponseOpener } from '../../src/ehbp/response-opener.ts'
import { sequenceNonce } from '../../src/ehbp/protocol.ts'
import { chatBody, PRIVATE_MODEL } from './chat-body.ts'
import { givenArgument, tellReady } from './child.ts'
import { interleave, quantile, timed, type Bounds } from './statistics.ts'

/**
 * Milliseconds, each the 10th percentile of its samples: the time of the work while nothing else uses the
 * processor.
 */
export interface SealingTimes {
  readonly cold: number
  readonly small: Record<'sotto' | 'published' | 'portable', number>
  readonly large: Record<'bare' | 'sealed' | 'opened', number>
}

/**
 * Runs in its own process with --expose-gc. 20 MB buffers are collected between the samples, because the
 * collector would otherwise run during one of the next samples.
 */
const { small, large } = givenArgument() as { small: Bounds; large: Bounds }
const LARGE_BYTES = 20_000_000
const IN_A_ROW = 10
const cold = timed(knownAnswersHold)

const publicKey = native.keyPair().publicKey
const body = chatBody({ model: PRIVATE_MODEL })
const identity = await Identity.fromPublicKeyHex(Buffer.from(publicKey).toString('hex'))
const request = () => new Request('http://127.0.0.1/', { method: 'POST', body })
const smallWays = {
  sotto: () => createRequestSealer(publicKey).seal(body),
  published: () => identity.encryptRequestWithContext(request()),
  portable: () => setupRequest(portable, publicKey).seal(body),
}
const smallTimes = await interleave(
  ['sotto', 'published', 'portable'],
  { ...small, warmUp: 20 },
  async (way) => {
    const start = performance.now()
    for (let turn = 0; turn < IN_A_ROW; turn += 1) await smallWays[way]()
    return (performance.now() - start) / IN_A_ROW
  },
)

const large20 = randomBytes(LARGE_BYTES)
const key = createSecretKey(randomBytes(32))
const nonce = randomBytes(12)
const response = deriveResponseKeys(native, randomBytes(32), randomBytes(32), randomBytes(32))
const frame = Buffer.alloc(4 + LARGE_BYTES + 16)
frame.writeUInt32BE(LARGE_BYTES + 16)
native.aead(response.key).seal(sequenceNonce(response.baseNonce, 0), large20, frame, 4)
const largeWays = {
  bare: () => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
    cipher.update(large20)
    cipher.final()
    return cipher.getAuthTag()
  },
  sealed: () => createRequestSealer(publicKey).seal(large20),
  opened: () => createResponseOpener(native.aead(response.key), response.baseNonce).push(frame),
}
const largeTimes = await interleave(['bare', 'sealed', 'opened'], { ...large, warmUp: 3 }, (way) => {
  globalThis.gc?.()
  return timed(largeWays[way])
})

const undisturbed = <Name extends string>(samples: Record<Name, number[]>) =>
  Object.fromEntries(
    Object.entries<number[]>(samples).map(([name, all]) => [name, quantile(all, 0.1)]),
  ) as Record<Name, number>
tellReady({ cold, small: undisturbed(smallTimes), large: undisturbed(largeTimes) } satisfies SealingTimes)
