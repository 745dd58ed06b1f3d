import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { TrustSet } from '../../shared/trust.ts'
import { amdRoots } from './amd.ts'
import { nitroRoot } from './aws/chain.ts'
import { intelRoots } from './intel/authorities.ts'
import { fulcioRoots, trustedRootJson } from './sigstore-roots.ts'

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'))
const privateKey = z
  .string()
  .startsWith('-----BEGIN PRIVATE KEY-----')
  .transform((pem) => createPrivateKey(pem))

/** The stored keys. The key of Fulcio's root isn't stored, because it's never used again. */
const storedSchema = z.strictObject({
  version: z.literal(2),
  ark: base64,
  arkKey: privateKey,
  ask: base64,
  askKey: privateKey,
  /** The one machine: its chip's key and its id of 64 bytes. */
  vcekKey: privateKey,
  chipId: base64,
  fulcioRoot: base64,
  fulcioIntermediate: base64,
  fulcioIntermediateKey: privateKey,
  ctLogKey: privateKey,
  rekorKey: privateKey,
  webCaKey: privateKey,
  intelRoot: base64,
  intelRootKey: privateKey,
  intelPlatformCa: base64,
  intelPlatformKey: privateKey,
  tcbSigningKey: privateKey,
  /** The one machine with TDX: the key that certifies its quotes, and its ids of 16 bytes. */
  pckKey: privateKey,
  ppid: base64,
  instanceId: base64,
  awsRoot: base64,
  awsRootKey: privateKey,
})

/** Everything that the sandbox signs with, and the trust set that judges it. */
export interface Roots extends z.infer<typeof storedSchema> {
  readonly trust: TrustSet
}

const fileName = 'roots.json'

/**
 * The roots of this folder: read, or generated once and stored with mode 0600. It generates two RSA-4096
 * keys on the thread pool, which can take seconds. An unreadable file is replaced: only play money depends
 * on it.
 * @param wanted called before the write, so that a closed sandbox doesn't change its folder
 */
export async function loadRoots(folder: string, wanted: () => boolean): Promise<Roots> {
  const path = join(folder, fileName)
  const stored = await readFile(path, 'utf8').then(parseRoots, () => undefined)
  if (stored) return stored
  const text = JSON.stringify(await mintRoots())
  if (wanted()) {
    const draft = `${path}.${randomBytes(4).toString('hex')}`
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await rename(draft, path)
  }
  const roots = parseRoots(text)
  if (!roots) throw new Error('the sandbox minted roots that it cannot read')
  return roots
}

function parseRoots(text: string): Roots | undefined {
  try {
    const stored = storedSchema.parse(JSON.parse(text))
    return { ...stored, trust: trustSet(stored) }
  } catch {
    return undefined
  }
}

function trustSet(stored: z.infer<typeof storedSchema>): TrustSet {
  return {
    name: 'sandbox',
    amd: { Genoa: { ark: stored.ark, ask: stored.ask } },
    sigstoreTrustedRoot: trustedRootJson({
      fulcioRoot: stored.fulcioRoot,
      fulcioIntermediate: stored.fulcioIntermediate,
      ctLogPublicKey: createPublicKey(stored.ctLogKey),
      rekorPublicKey: createPublicKey(stored.rekorKey),
    }),
    intelSgxRoot: stored.intelRoot,
    awsNitroRoot: stored.awsRoot,
  }
}

async function mintRoots(): Promise<z.input<typeof storedSchema>> {
  const rsa = promisify(generateKeyPair)
  const [arkKeys, askKeys] = await Promise.all([
    rsa('rsa', { modulusLength: 4096 }),
    rsa('rsa', { modulusLength: 4096 }),
  ])
  const { ark, ask } = amdRoots(arkKeys, askKeys)
  const fulcioRootKeys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const fulcioIntermediateKeys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const fulcio = fulcioRoots(fulcioRootKeys, fulcioIntermediateKeys)
  const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const ecKey = (namedCurve: string) => pkcs8(generateKeyPairSync('ec', { namedCurve }).privateKey)
  const intelRootKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const intelPlatformKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const intel = intelRoots(intelRootKeys, intelPlatformKeys)
  const awsRootKeys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  return {
    version: 2,
    ark: ark.toString('base64'),
    arkKey: pkcs8(arkKeys.privateKey),
    ask: ask.toString('base64'),
    askKey: pkcs8(askKeys.privateKey),
    vcekKey: ecKey('P-384'),
    chipId: randomBytes(64).toString('base64'),
    fulcioRoot: fulcio.root.toString('base64'),
    fulcioIntermediate: fulcio.intermediate.toString('base64'),
    fulcioIntermediateKey: pkcs8(fulcioIntermediateKeys.privateKey),
    ctLogKey: ecKey('P-256'),
    rekorKey: ecKey('P-256'),
    webCaKey: ecKey('P-256'),
    intelRoot: intel.root.toString('base64'),
    intelRootKey: pkcs8(intelRootKeys.privateKey),
    intelPlatformCa: intel.platformCa.toString('base64'),
    intelPlatformKey: pkcs8(intelPlatformKeys.privateKey),
    tcbSigningKey: ecKey('P-256'),
    pckKey: ecKey('P-256'),
    ppid: randomBytes(16).toString('base64'),
    instanceId: randomBytes(16).toString('base64'),
    awsRoot: nitroRoot(awsRootKeys).toString('base64'),
    awsRootKey: pkcs8(awsRootKeys.privateKey),
  }
}
