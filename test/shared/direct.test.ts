import { describe, expect, it } from 'vitest'
import { directEnclaves, enclaveHostsOf, isDirect } from '../../src/shared/direct.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import { looksUpRevocation } from '../../src/shared/collateral-record.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { createDirectNetwork, MODEL_ENCLAVE, ROUTER } from '../direct-network.ts'

const { profile } = createDirectNetwork()
const service = sandboxProfile('http://127.0.0.1:1')

describe('a profile without a service', () => {
  it('is known by its enclaves, each with a policy of its own', () => {
    expect([isDirect(profile), isDirect(service)]).toEqual([true, false])
    expect(directEnclaves(service)).toEqual([])
    const [router, model] = directEnclaves(profile)
    expect(router).toEqual({ origin: ROUTER, models: [], policy: profile.policy })
    expect(model).toMatchObject({
      origin: MODEL_ENCLAVE,
      models: ['own-70b'],
      policy: {
        enclaveHost: 'model.direct-network.example',
        code: { repository: 'sotto-sandbox/model-enclave' },
        nonceBound: { origin: MODEL_ENCLAVE },
        sevSnp: profile.policy?.sevSnp,
      },
    })
    expect(enclaveHostsOf(profile)).toEqual(['router.direct-network.example', 'model.direct-network.example'])
    expect(enclaveHostsOf(service)).toEqual([service.policy?.enclaveHost])
  })

  it('downloads no revocation lists: its evidence must contain them', () => {
    expect(looksUpRevocation(profile)).toBe(false)
    const { direct: _, ...others } = profile
    expect(looksUpRevocation(others)).toBe(true)
  })

  it.each<[string, object]>([
    ['rules for fresh evidence', { policy: { ...profile.policy, nonceBound: undefined } }],
    ['a policy', { policy: undefined }],
    ['rules for its own host', { baseUrl: 'https://other.example' }],
    ['a base URL that is an origin', { baseUrl: `${ROUTER}/v1` }],
    ['revision B', { revision: 'A' }],
    ['no address for audio', { alternativeBaseUrl: 'https://audio.example' }],
    ['no conversion of documents', { documentConversion: {} }],
    [
      'no enclave of a service',
      {
        serviceEnclave: sandboxProfile('http://127.0.0.1:1').serviceEnclave ?? {
          baseUrl: 'https://x.example',
          imageRecordUrl: 'https://x.example/r',
          provenance: { ...profile.policy?.code, workflow: '.github/workflows/a.yml' },
        },
      },
    ],
    [
      'https for each enclave',
      { direct: { enclaves: [{ models: ['x'], origin: 'http://model.example', repository: 'a/b' }] } },
    ],
    ['no unknown member', { direct: { enclaves: [], models: [] } }],
  ])('needs %s', (_, change) => {
    expect(profileSchema.safeParse(profile).success).toBe(true)
    expect(profileSchema.safeParse({ ...profile, ...change }).success).toBe(false)
  })
})
