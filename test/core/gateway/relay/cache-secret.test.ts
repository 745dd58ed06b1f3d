import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CacheSecrets } from '../../../../src/core/gateway/relay/cache-secret.ts'

const JANUARY = Date.UTC(2026, 0, 31, 23, 59, 59)
const root = randomBytes(32)
const secretsAt = (now: number, profileId = 'service') =>
  new CacheSecrets({ root: Buffer.from(root), profileId, now: () => now })
const secretOf = (secrets: CacheSecrets, scope: string) => secrets.addTo({}, scope)['user_cache_secret']

describe('the secret of a prompt cache', () => {
  it('is 64 hex digits, and stays the same for a month', () => {
    const secret = secretOf(secretsAt(JANUARY), 'window')
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretOf(secretsAt(JANUARY - 30 * 86_400_000), 'window')).toBe(secret)
    expect(secretOf(secretsAt(JANUARY + 1000), 'window')).not.toBe(secret)
  })

  it('differs for each scope, month and service', () => {
    const scope = fc.record({ scope: fc.string(), month: fc.nat(600), profileId: fc.string() })
    const of = ({ scope: name, month, profileId }: { scope: string; month: number; profileId: string }) =>
      secretOf(secretsAt(Date.UTC(2026, month), profileId), name)
    fc.assert(
      fc.property(scope, scope, (one, other) => {
        const same =
          one.scope === other.scope && one.month === other.month && one.profileId === other.profileId
        expect(of(one) === of(other)).toBe(same)
      }),
    )
  })

  it('leaves a caller’s own secret and every other member as they are', () => {
    const body = { model: 'm', messages: [], user_cache_secret: 'mine' }
    expect(secretsAt(JANUARY).addTo(body, 'window')).toEqual(body)
  })

  it.each([[''], [7], [null], [['a']]])('replaces %j, which the router takes for none', (value) => {
    const secrets = secretsAt(JANUARY)
    expect(secrets.addTo({ model: 'm', user_cache_secret: value }, 'window')).toEqual({
      model: 'm',
      user_cache_secret: secretOf(secrets, 'window'),
    })
  })

  it('is another after it was renewed, and the earlier root is zeroed', () => {
    const earlier = randomBytes(32)
    const secrets = new CacheSecrets({ root: earlier, profileId: 'service', now: () => JANUARY })
    const before = secretOf(secrets, 'window')
    secrets.renew(randomBytes(32))
    expect(secretOf(secrets, 'window')).not.toBe(before)
    expect(earlier).toEqual(Buffer.alloc(32))
  })

  it('is not derived from a zeroed root', () => {
    const secrets = secretsAt(JANUARY)
    secrets[Symbol.dispose]()
    const late = randomBytes(32)
    secrets.renew(late)
    expect(late).toEqual(Buffer.alloc(32))
    expect(() => secrets.addTo({}, 'window')).toThrow(
      expect.objectContaining({ code: 'vault/locked' }) as Error,
    )
  })
})
