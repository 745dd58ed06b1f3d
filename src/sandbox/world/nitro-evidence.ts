import { createPublicKey, randomBytes } from 'node:crypto'
import { nitroChain } from './aws/chain.ts'
import { nitroDocument, imageOf, nitroImage, pcrsOf } from './aws/document.ts'
import { rawX25519, tlsFingerprint } from './enclave.ts'
import type { EvidenceRequest, PlatformEvidence } from './evidence.ts'

const nonceBytes = 32

/** Generates a Nitro attestation document for one request, with its own chain. */
export function nitroEvidence({ roots, keys, faults, nonce, now }: EvidenceRequest): PlatformEvidence {
  const rootKey = { publicKey: createPublicKey(roots.awsRootKey), privateKey: roots.awsRootKey }
  const image = faults.has('other-measurement') ? imageOf('an image that no policy names') : nitroImage
  const raw = nitroDocument(
    {
      pcrs: pcrsOf(image, faults.has('debug-guest')),
      publicKey: rawX25519(keys.hpke.publicKey),
      ...(faults.has('swapped-key') && { forgedPublicKey: rawX25519(keys.impostor.publicKey) }),
      userData: tlsFingerprint(keys),
      nonce: faults.has('wrong-nonce') ? randomBytes(nonceBytes) : nonce,
      at: now,
    },
    nitroChain(roots.awsRoot, rootKey, faults.has('expired-certificate'), now),
  )
  return { format: 'https://tinfoil.sh/predicate/aws-nitro-enclave/v1', raw }
}
