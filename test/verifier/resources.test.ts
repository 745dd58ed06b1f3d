import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { amdRootsFromPem, readAmdList, vendorRootFromPem } from '../../src/verifier/index.ts'
import { CertificateError } from '../../src/verifier/x509/index.ts'
import { builtInTrust } from '../../src/host/resources.ts'
import type { SevProduct } from '../../src/shared/policy/sev-snp.ts'
import { directEnclaves } from '../../src/shared/direct.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import { amdRoots, resource } from './evidence-folder.ts'
import { zeroSevIdentity } from './sev-snp/minted-chip.ts'

/** SHA-256 of the DER, as AMD's key distribution service publishes the certificates. */
const fingerprints: Record<SevProduct, { ark: string; ask: string }> = {
  Genoa: {
    ark: '4c6598d19c18719c5dfd4a7d335f674e5bfe1d8f800cea2cf270c10d103db2f1',
    ask: '5464738c1546aed5f2cecf1dc98c5c960a92e8913238a61711bc90ec6e828521',
  },
  Turin: {
    ark: '1f084161a44bb6d93778a904877d4819cafa5d05ef4193b2ded9dd9c73dd3f6a',
    ask: '5b77ef5fe7a7a004fd9032668fba9d0fda22f88c4442069a479636a6ae3b3185',
  },
  Milan: {
    ark: '69d063b45344d26a2e94e1f4210de49ef555308287d4c174445c95639a540bcd',
    ask: '67d303bd3905fd38db8b20e0793699870e7fa612eaad5dec358293fd8c0bac1b',
  },
}

describe('AMD’s roots', () => {
  it.each(['Genoa', 'Turin', 'Milan'] as const)('of %s are the published ones', (product) => {
    const sha256 = (der: Uint8Array = new Uint8Array()) => createHash('sha256').update(der).digest('hex')
    expect({ ark: sha256(amdRoots[product]?.ark), ask: sha256(amdRoots[product]?.ask) }).toEqual(
      fingerprints[product],
    )
  })

  it('are found by their names, and only as a pair of one product', () => {
    const genoa = resource('trust/ask_ark_genoa.pem')
    const [ask = '', ark = ''] = genoa.split(/(?<=-----END CERTIFICATE-----\n)/)
    expect(amdRootsFromPem({ Genoa: `${ark}${ask}` }).Genoa).toEqual(amdRoots.Genoa)
    expect(amdRootsFromPem({})).toEqual({})
    for (const text of [ark, ask, `${ark}${ark}`, `${genoa}${resource('trust/ask_ark_turin.pem')}`, '']) {
      expect(() => amdRootsFromPem({ Genoa: text })).toThrow(CertificateError)
    }
    expect(() => amdRootsFromPem({ Turin: genoa })).toThrow(CertificateError)
  })
})

describe('AMD’s revocation list of Genoa', () => {
  const der = readFileSync(join(import.meta.dirname, '../../resources/trust/amd_crl_genoa.der'))
  const updated = Date.UTC(2026, 6, 28, 4, 7, 23)

  it('is the published list, signed by the shipped root, and valid only in its period', () => {
    const [digest, list] = [
      createHash('sha256').update(der).digest('hex'),
      readAmdList(der, amdRoots, 'Genoa', updated),
    ]
    expect(list).toEqual({ name: 'amd-crl/Genoa', version: updated, list: der.toString('base64') })
    expect(resource('trust/README.md')).toContain(digest)
    expect(readAmdList(der, amdRoots, 'Genoa', updated - 1)).toMatchObject({ code: 'amd/crl-not-yet-valid' })
    expect(readAmdList(der, amdRoots, 'Genoa', Date.UTC(2026, 8, 9, 0, 0, 1))).toMatchObject({
      code: 'amd/crl-expired',
    })
    for (const product of ['Turin', 'Milan'] as const)
      expect(readAmdList(der, amdRoots, product, updated)).toMatchObject({ code: 'amd/crl-invalid' })
  })

  it('ships with the built-in roots', async () => {
    const { amd } = await builtInTrust()
    expect(amd.Genoa?.crl).toEqual(der)
    expect(amd.Genoa?.ark).toEqual(amdRoots.Genoa?.ark)
  })
})

describe.each([
  ['Intel', 'intel-sgx-root-ca.pem', '44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3'],
  ['AWS', 'aws-nitro-root-g1.pem', '641a0321a3e244efe456463195d606317ed7cdcc3c1756e09893f3c68f79bb5b'],
] as const)('%s’s root', (_, file, fingerprint) => {
  it('is the published one', () => {
    const sha256 = createHash('sha256')
      .update(vendorRootFromPem(resource(`trust/${file}`)))
      .digest('hex')
    expect(sha256).toBe(fingerprint)
    expect(resource('trust/README.md')).toContain(sha256)
  })

  it('is read only from a text of one certificate', () => {
    const text = resource(`trust/${file}`)
    for (const other of [
      '',
      `${text}${text}`,
      text.replace('MII', 'MIJ'),
      resource('trust/ask_ark_genoa.pem'),
    ]) {
      expect(() => vendorRootFromPem(other)).toThrow(CertificateError)
    }
  })
})

/** The paths of all values that aren't objects. */
function leavesOf(value: unknown, path: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

describe('the preset without a service', () => {
  const preset = profileSchema.parse(JSON.parse(resource('profiles/tinfoil.json')))
  const service = profileSchema.parse(JSON.parse(resource('profiles/ppq.json')))

  it('has the rules of the preset with a service, and requires fresh evidence', () => {
    expect(preset.policy).toEqual({
      ...service.policy,
      nonceBound: { ...service.policy?.nonceBound, required: true },
    })
    expect(preset.policySources).toEqual(service.policySources)
  })

  it('names only the router, because the hosts of model enclaves aren’t certain', () => {
    expect(preset).toMatchObject({
      id: 'tinfoil',
      kind: 'service',
      baseUrl: 'https://inference.tinfoil.sh',
      revision: 'B',
      direct: { enclaves: [] },
    })
    expect(directEnclaves(preset).map(({ origin }) => origin)).toEqual(['https://inference.tinfoil.sh'])
    expect(preset).not.toHaveProperty('serviceEnclave')
    // The schema adds nothing but the default of a path that this kind doesn't use.
    expect(preset).toEqual({
      ...(JSON.parse(resource('profiles/tinfoil.json')) as object),
      privatePath: '/private',
    })
  })
})

describe('the preset of the service', () => {
  const preset = profileSchema.parse(JSON.parse(resource('profiles/ppq.json')))

  it('doesn’t accept Nitro, because no images are published for it', () => {
    expect(preset.policy).not.toHaveProperty('nitro')
  })

  it('is complete: the schema adds nothing and removes nothing', () => {
    expect(preset).toEqual(JSON.parse(resource('profiles/ppq.json')))
  })

  it('has a source for each value of its policy, and for nothing else', () => {
    const paths = (preset.policySources ?? []).flatMap(({ values }) => values)
    expect(new Set(paths).size).toBe(paths.length)
    const leaves = leavesOf(preset.policy, [])
    expect(leaves.length).toBeGreaterThan(40)
    expect(
      leaves.filter((leaf) => !paths.some((path) => leaf === path || leaf.startsWith(`${path}.`))),
    ).toEqual([])
    expect(
      paths.filter((path) => !leaves.some((leaf) => leaf === path || leaf.startsWith(`${path}.`))),
    ).toEqual([])
  })

  it('requires the published minimums, and a higher one if a bulletin does', () => {
    expect(preset).toMatchObject({
      id: 'ppq',
      kind: 'service',
      baseUrl: 'https://api.ppq.ai',
      revision: 'B',
      lightningNetwork: 'bitcoin',
      privatePath: '/private',
    })
    expect(preset.policy?.sevSnp).toEqual({
      products: {
        Genoa: {
          minimumTcb: { bootloader: 7, tee: 0, snp: 23, microcode: 72 },
          expectedTcb: { bootloader: 10, tee: 0, snp: 23, microcode: 84 },
          providerMinimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 },
        },
        Turin: {
          minimumTcb: { fmc: 1, bootloader: 1, tee: 1, snp: 4, microcode: 82 },
          minimumBuild: 0,
          minimumApi: { major: 1, minor: 58 },
          // The published rules for this product have TSME off; the guest's own memory is encrypted without it.
          platform: {
            requireTsme: false,
            requireEcc: true,
            requireAliasCheck: true,
            info: '0000000000000064',
          },
        },
      },
      minimumBuild: 21,
      minimumApi: { major: 1, minor: 55 },
      guest: { allowSmt: true, allowSingleSocketOnly: false, policy: '0000000000030000' },
      identity: zeroSevIdentity,
      platform: { requireTsme: true, requireEcc: true, requireAliasCheck: true, info: '0000000000000027' },
      vmpl: 0,
    })
    expect(preset.policy?.tdx).toEqual({
      minimumTeeTcbSvn: '03010200000000000000000000000000',
      tdAttributes: '0000001000000000',
      xfam: 'e702060000000000',
      // Intel's TDX modules that the provider runs, then 2.0.02 and 1.5.08 of Intel's own list.
      mrSeam: [
        '476a2997c62bccc78370913d0a80b956e3721b24272bc66c4d6307ced4be2865c40e26afac75f12df3425b03eb59ea7c',
        '7bf063280e94fb051f5dd7b1fc59ce9aac42bb961df8d44b709c9b0ff87a7b4df648657ba6d1189589feab1d5a3c9a9d',
        '489e585f1c54bc5a02066c8c6ec21619ff0334ec6f21e07e2a35202c59183789c8057e7d97dd591bb08314b185819e72',
        'd0d80c085166ba78ccc69af268e5753cf0f3394523cb4ff7c50b08d9265c82489c099c377be6a400e4d2b57da924012c',
        'aef4ed3e686fe6cf44c9a8d1cc63105443b558ac4f40c282abf78271e9a4586c50408c8584c7b43fd21edb736700ba5f',
        '685f891ea5c20e8fa27b151bf34bf3b50fbaf7143cc53662727cbdb167c0ad8385f1f6f3571539a91e104a1c96d75e04',
        '49b66faa451d19ebbdbe89371b8daf2b65aa3984ec90110343e9e2eec116af08850fa20e3b1aa9a874d77a65380ee7e6',
      ],
      mrConfigId: '0'.repeat(96),
      mrOwner: '0'.repeat(96),
      mrOwnerConfig: '0'.repeat(96),
      minimumTcbEvaluationDataNumber: 19,
      tcbStatuses: ['UpToDate'],
      hardware: {
        repository: 'tinfoilsh/hardware-measurements',
        oidcIssuer: 'https://token.actions.githubusercontent.com',
        refPrefix: 'refs/tags/',
        runnerEnvironment: 'github-hosted',
        predicateTypes: ['https://tinfoil.sh/predicate/hardware-measurements/v1'],
      },
    })
  })
})
