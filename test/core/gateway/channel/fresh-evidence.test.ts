import { describe, expect, it } from 'vitest'
import { ATTESTATION_V3, MAX_V3_BYTES } from '../../../../src/verifier/index.ts'
import { fetchFresh, type FreshSource } from '../../../../src/core/gateway/channel/fresh-evidence.ts'
import { nonceBound } from '../../../../src/sandbox/profile.ts'
import type { Fetch, FetchInit } from '../../../../src/shared/fetch.ts'

const direct: FreshSource = { from: 'direct', policy: nonceBound('https://enclave.example') }
const relayed: FreshSource = {
  from: 'relayed',
  serviceUrl: 'https://service.example/v1/',
  enclaveHost: 'enclave.example',
}
const DOCUMENT = `{"format":"${ATTESTATION_V3}"}`

interface Asked {
  readonly url: string
  readonly init: FetchInit
}

/** Gives every request the same answer, and records the requests. */
function answering(status: number, body: string): { fetch: Fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const fetch: Fetch = (url, init) => {
    asked.push({ url, init })
    return Promise.resolve({
      status,
      headers: { get: () => null },
      body: (async function* () {
        yield await Promise.resolve(Buffer.from(body))
      })(),
    })
  }
  return { fetch, asked }
}
const failing: Fetch = () => Promise.reject(new Error('no connection'))

describe('asking for fresh evidence', () => {
  it('asks for nothing if it’s off', async () => {
    const { fetch, asked } = answering(200, DOCUMENT)
    expect(await fetchFresh(fetch, { from: 'never' })).toEqual({ absent: 'off' })
    expect(asked).toEqual([])
  })

  it.each<[FreshSource, RegExp]>([
    [direct, /^https:\/\/enclave\.example\/\.well-known\/tinfoil-attestation\?nonce=([0-9a-f]{64})$/],
    [
      relayed,
      /^https:\/\/service\.example\/\.well-known\/tinfoil-attestation\?nonce=([0-9a-f]{64})&enclave=enclave\.example$/,
    ],
  ])('asks $from with a new nonce each time, without credentials and redirects', async (source, form) => {
    const { fetch, asked } = answering(200, DOCUMENT)
    const nonces: string[] = []
    for (let time = 0; time < 3; time++) {
      const answer = await fetchFresh(fetch, source)
      if ('absent' in answer) throw new Error('absent')
      expect(Buffer.from(answer.document).toString()).toBe(DOCUMENT)
      nonces.push(Buffer.from(answer.nonce).toString('hex'))
    }
    expect(asked.map(({ url }) => form.exec(url)?.[1])).toEqual(nonces)
    expect(new Set(nonces).size).toBe(3)
    for (const { init } of asked) {
      expect(init).toMatchObject({ method: 'GET', redirect: 'manual' })
      expect(Object.keys(init.headers).sort()).toEqual(['accept', 'accept-encoding'])
      expect(init).not.toHaveProperty('body')
    }
  })

  it.each<[string, Fetch]>([
    ['no connection', failing],
    ['status 404', answering(404, DOCUMENT).fetch],
    ['status 503', answering(503, '{"error":{}}').fetch],
    ['a redirect', answering(302, DOCUMENT).fetch],
    ['status 204', answering(204, DOCUMENT).fetch],
    ['more bytes than allowed', answering(200, DOCUMENT + ' '.repeat(MAX_V3_BYTES)).fetch],
  ])('%s is an enclave that can’t be reached, or a service that doesn’t relay', async (_, fetch) => {
    expect(await fetchFresh(fetch, direct)).toEqual({ absent: 'unreachable' })
    expect(await fetchFresh(fetch, relayed)).toEqual({ absent: 'not-relayed' })
  })

  it.each([
    ['a web page', '<!doctype html><title>Not found</title>'],
    ['document v2', '{"format":"https://tinfoil.sh/predicate/sev-snp-guest/v2","body":""}'],
    ['nothing', ''],
  ])('%s is an answer of the enclave, to be refused, and none of a service', async (_, body) => {
    expect(await fetchFresh(answering(200, body).fetch, relayed)).toEqual({ absent: 'not-relayed' })
    expect(await fetchFresh(answering(200, body).fetch, direct)).toMatchObject({
      document: new TextEncoder().encode(body),
    })
  })
})
