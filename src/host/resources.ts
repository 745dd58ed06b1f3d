import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { amdRootsFromPem, vendorRootFromPem } from '../core/core.ts'
import { resourcePath } from './application-root.ts'
import { profileSchema, type Profile } from '../shared/profile.ts'
import type { TrustSet } from '../shared/trust.ts'
import { trustedRootMetaSchema } from '../shared/trusted-root-age.ts'

/**
 * The presets that ship with Sotto, by file name, each validated by the schema. Rejects if one is invalid.
 */
export async function presetProfiles(): Promise<Profile[]> {
  const folder = resourcePath('profiles')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (name) => profileSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))),
  )
}

let builtIn: Promise<TrustSet> | undefined

/** The published roots that ship with Sotto; read once, when first needed. */
export function builtInTrust(): Promise<TrustSet> {
  builtIn ??= readBuiltInTrust()
  return builtIn
}

async function readBuiltInTrust(): Promise<TrustSet> {
  const read = (name: string): Promise<string> => readFile(resourcePath('trust', name), 'utf8')
  const [genoaList, turinList, milanList] = await Promise.all(['genoa', 'turin', 'milan'].map(readList))
  const [genoa, turin, milan, sigstoreTrustedRoot, sigstoreMeta, intel, aws] = await Promise.all([
    read('ask_ark_genoa.pem'),
    read('ask_ark_turin.pem'),
    read('ask_ark_milan.pem'),
    read('sigstore-trusted-root.json'),
    read('sigstore-trusted-root.meta.json'),
    read('intel-sgx-root-ca.pem'),
    read('aws-nitro-root-g1.pem'),
  ])
  return {
    name: 'built-in',
    amd: amdRootsFromPem(
      { Genoa: genoa, Turin: turin, Milan: milan },
      {
        ...(genoaList && { Genoa: genoaList }),
        ...(turinList && { Turin: turinList }),
        ...(milanList && { Milan: milanList }),
      },
    ),
    sigstoreTrustedRoot,
    sigstoreTrustedRootPublished: Date.parse(trustedRootMetaSchema.parse(JSON.parse(sigstoreMeta)).published),
    intelSgxRoot: vendorRootFromPem(intel),
    awsNitroRoot: vendorRootFromPem(aws),
  }
}

/** AMD's revocation list of a product. Not every product has one here. */
async function readList(product: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(resourcePath('trust', `amd_crl_${product}.der`))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
