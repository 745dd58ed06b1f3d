import { describe, expect, it } from 'vitest'
import { verifyIntermediate, verifyRoot, verifyVcek } from '../../../src/verifier/sev-snp/chain.ts'
import { readVcek } from '../../../src/verifier/sev-snp/vcek.ts'
import { parseCertificate, type Link } from '../../../src/verifier/x509/index.ts'
import type { SevProduct } from '../../../src/shared/policy/sev-snp.ts'
import { amdRoots, evidenceIsThere, realEvidence } from '../evidence-folder.ts'
import { EvidenceError } from '../../../src/verifier/text.ts'

const NOW = Date.UTC(2026, 1, 1)

function sound(link: Link) {
  if ('fault' in link) throw new EvidenceError(link.fault)
  return link
}

function intermediateOf(product: SevProduct) {
  const roots = amdRoots[product]!
  return sound(verifyIntermediate(roots.ask, sound(verifyRoot(roots.ark, product, NOW)), product, NOW))
}

it.each(['Genoa', 'Turin', 'Milan'] as const)(
  'AMD’s root of %s issued the intermediate of this product, and of no other',
  (product) => {
    const { ark, ask } = amdRoots[product]!
    const root = sound(verifyRoot(ark, product, NOW))
    expect(verifyIntermediate(ask, root, product, NOW)).toHaveProperty('key')
    for (const other of (['Genoa', 'Turin', 'Milan'] as const).filter((name) => name !== product)) {
      expect(verifyRoot(ark, other, NOW)).toHaveProperty('fault')
      expect(verifyIntermediate(amdRoots[other]!.ask, root, other, NOW)).toHaveProperty('fault')
    }
  },
)

describe.skipIf(!evidenceIsThere)('real chips', () => {
  it.each([
    ['Turin', 'vcek_turin.der'],
    ['Milan', 'vcek_milan.der'],
    ['Milan', 'milan-debug-vcek.der'],
  ] as const)('a %s chains only to its root', (product, file) => {
    const certificate = parseCertificate(realEvidence(`sev-snp/${file}`))
    expect(readVcek(certificate).product).toBe(product)
    for (const issuer of ['Genoa', 'Turin', 'Milan'] as const) {
      expect(verifyVcek(certificate, intermediateOf(issuer))).toHaveProperty(
        issuer === product ? 'key' : 'fault',
      )
    }
  })

  it('a Turin has an fmc level and an ID of 8 bytes', () => {
    expect(readVcek(parseCertificate(realEvidence('sev-snp/vcek_turin.der')))).toMatchObject({
      productName: 'Turin',
      tcb: { fmc: 0, bootloader: 0, tee: 0, snp: 0, microcode: 9 },
      hardwareId: Uint8Array.from(Buffer.from('1e550a8ee5cf9f4d', 'hex')),
    })
  })
})
