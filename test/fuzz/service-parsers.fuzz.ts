import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAccount } from '../../src/core/gateway/service/account/create-account.ts'
import { readAutomaticTopup } from '../../src/core/gateway/service/account/read/automatic-topup.ts'
import { readBalance } from '../../src/core/gateway/service/account/read/balance.ts'
import { readHistory } from '../../src/core/gateway/service/account/read/history.ts'
import { listKeys } from '../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../src/core/gateway/service/account/read/payment-methods.ts'
import { createTopup } from '../../src/core/gateway/service/account/topup.ts'
import { parseExactJson } from '../../src/core/gateway/service/http/exact-json.ts'
import { parsePaymentChallenge } from '../../src/core/gateway/service/http/payment-challenge.ts'
import { serviceFailure } from '../../src/core/gateway/service/http/failure.ts'
import type { Service } from '../../src/core/gateway/service/http/perform.ts'
import {
  ChallengeSyntaxError,
  parseChallenges,
} from '../../src/core/gateway/service/http/www-authenticate.ts'
import { listDataEndpoints } from '../../src/core/gateway/service/inference/data.ts'
import { listModels } from '../../src/core/gateway/service/inference/models.ts'
import { clipJobIn, imagesIn } from '../../src/core/jobs/read-answer.ts'
import { vectorsIn } from '../../src/core/jobs/requests/embedding-request.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { paymentChallengeSchema } from '../../src/shared/payment-challenge.ts'
import { parseStrictJson, StrictJsonError } from '../../src/shared/strict-json.ts'
import { recorded, responseOf, scripted, type Recorded } from '../core/gateway/service/scripted.ts'
import { edited, edits, parserRuns, readOrRefuse } from './hostile-bytes.ts'

/** Recorded answers, edited: whatever comes, the client reads it or refuses it by a code of its own. */
const runs = Math.max(1, Math.floor(parserRuns / 10))
const bytesOf = ({ text, body }: Recorded): Buffer => Buffer.from(text ?? JSON.stringify(body), 'latin1')

const calls: Record<string, { of: Recorded[]; call: (service: Service) => Promise<unknown> }> = {
  createAccount: { of: [recorded('account')['created']!], call: (service) => createAccount(service) },
  readBalance: { of: [recorded('account')['balance']!], call: (service) => readBalance(service) },
  listKeys: { of: [recorded('account')['keys']!], call: (service) => listKeys(service) },
  readHistory: { of: [recorded('account')['history']!], call: (service) => readHistory(service) },
  readPaymentMethods: {
    of: [recorded('account')['paymentMethods']!],
    call: (service) => readPaymentMethods(service),
  },
  createTopup: {
    of: [recorded('account')['topupNumbers']!, recorded('account')['topupOnChain']!],
    call: (service) => createTopup(service, { method: 'btc', amount: 1, currency: 'USD' }),
  },
  readAutomaticTopup: {
    of: [recorded('account')['nwcPlain']!, recorded('account')['nwcNull']!],
    call: (service) => readAutomaticTopup(service),
  },
  listModels: {
    of: [recorded('models')['all']!, recorded('models')['media']!, recorded('models')['grouped']!],
    call: (service) => listModels(service),
  },
  listDataEndpoints: {
    of: [recorded('data')['underData']!, recorded('data')['bare']!, recorded('data')['grouped']!],
    call: (service) => listDataEndpoints(service),
  },
}

it.each(Object.entries(calls))('%s', async (_name, { of, call }) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...of), edits, async (genuine, changes) => {
      const text = edited(bytesOf(genuine), changes).toString('latin1')
      await readOrInvalid(() => call(scripted([{ status: 200, text }]).service))
    }),
    { numRuns: runs },
  )
})

it.each<[string, Recorded[], (answer: Uint8Array) => unknown]>([
  ['images', [recorded('media')['images']!], imagesIn],
  [
    'a video',
    [recorded('media')['videoCompleted']!, recorded('media')['videoFailedObject']!],
    (answer) => clipJobIn(200, answer),
  ],
  ['embeddings', [recorded('media')['embeddings']!], (answer) => vectorsIn(answer, 2)],
])('%s', async (_name, of, read) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...of), edits, (genuine, changes) =>
      readOrInvalid(() => read(edited(bytesOf(genuine), changes))),
    ),
    { numRuns: runs },
  )
})

it('errors', async () => {
  const errors = Object.values(recorded('errors'))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...errors), edits, async (genuine, changes) => {
      const failure = await serviceFailure(
        responseOf({ ...genuine, text: edited(bytesOf(genuine), changes).toString('latin1') }),
        { authenticated: true },
      )
      expect(failure.code).toMatch(/^service\//)
      expect(failure.message).not.toMatch(/\p{Cc}/u)
    }),
    { numRuns: runs },
  )
})

it('challenges', () => {
  const fields = Object.values(recorded('payment')).map(({ headers }) => headers?.['www-authenticate'] ?? '')
  fc.assert(
    fc.property(fc.constantFrom(...fields), edits, (genuine, changes) => {
      const field = edited(Buffer.from(genuine, 'latin1'), changes).toString('latin1')
      readOrRefuse(() => parseChallenges(field), ChallengeSyntaxError)
      const challenge = readOrRefuse(() => parsePaymentChallenge(field), ChallengeSyntaxError)
      if (challenge) expect(paymentChallengeSchema.parse(challenge)).toEqual(challenge)
    }),
    { numRuns: parserRuns },
  )
})

it('exact JSON is taken where strict JSON is, and nowhere else', () => {
  const texts = [...Object.values(recorded('account')), ...Object.values(recorded('models'))].map(bytesOf)
  fc.assert(
    fc.property(fc.constantFrom(...texts), edits, (genuine, changes) => {
      const text = edited(genuine, changes).toString('latin1')
      const strict = readOrRefuse(() => ({ value: parseStrictJson(text) }), StrictJsonError)
      const exact = readOrRefuse(() => ({ value: parseExactJson(text) }), StrictJsonError)
      expect(exact === undefined).toBe(strict === undefined)
    }),
    { numRuns: runs },
  )
})

async function readOrInvalid(read: () => unknown): Promise<void> {
  try {
    await read()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(SottoError)
    expect(thrown).toHaveProperty('code', 'service/response-invalid')
  }
}
