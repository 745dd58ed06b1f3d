import { tdxSteps, type TdxInput } from '../../../src/verifier/tdx/index.ts'
import { certificatesFromPem } from '../../../src/verifier/x509/index.ts'
import { pem } from '../../../src/sandbox/der/certificate.ts'
import { pcsResponses, type Answers } from './real-tdx.ts'

/** A part of accepted evidence that a signature or a hash covers, or that is one, and the evidence with that part replaced. */
export interface Target {
  readonly name: string
  readonly bytes: Buffer
  readonly with: (bytes: Buffer) => TdxInput
}

/**
 * The quote up to the NUL that ends its chain (what pads it is nothing that anyone signed), Intel's two statements with their signatures,
 * the two lists, and the certificates of the signer's chain. Of the quote every bit counts: its lengths are covered by nothing, and have to add up.
 */
export function targetsOf(input: TdxInput, answers: Answers): Target[] {
  const chain = certificatesFromPem(answers.tcbInfoChain)
  const withAnswers = (changes: Partial<Answers>): TdxInput => ({
    ...input,
    collateral: pcsResponses({ ...answers, ...changes }),
  })
  const chainWith = (index: number, der: Buffer) =>
    chain.map((certificate, at) => pem(at === index ? der : certificate)).join('')
  const part = (name: 'tcbInfo' | 'qeIdentity' | 'pckCrl' | 'rootCrl'): Target => ({
    name,
    bytes: Buffer.from(answers[name]),
    with: (bytes) => withAnswers({ [name]: bytes }),
  })
  const quote = Buffer.from(input.quote)
  const end = quote.lastIndexOf('-----END CERTIFICATE-----\n') + '-----END CERTIFICATE-----\n'.length
  return [
    {
      name: 'quote',
      bytes: quote.subarray(0, end),
      with: (bytes) => ({ ...input, quote: Buffer.concat([bytes, quote.subarray(end)]) }),
    },
    part('tcbInfo'),
    part('qeIdentity'),
    part('pckCrl'),
    part('rootCrl'),
    ...chain.map((der, index): Target => ({
      name: `signer’s chain, certificate ${index + 1}`,
      bytes: Buffer.from(der),
      with: (bytes) => withAnswers({ tcbInfoChain: chainWith(index, bytes) }),
    })),
  ]
}

/** Flips every `step`th bit of a part, one at a time. Returns how many, and where the evidence was accepted all the same. */
export function flipBits(
  target: Target,
  step: number,
  from = 0,
): { flipped: number; accepted: string[]; codes: ReadonlySet<string> } {
  const accepted: string[] = []
  const codes = new Set<string>()
  let flipped = 0
  for (let bit = from; bit < target.bytes.length * 8; bit += step) {
    const bytes = Buffer.from(target.bytes)
    const at = bit >> 3
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at)
    const result = tdxSteps.verify(target.with(bytes))
    flipped++
    if (result.good) accepted.push(`${target.name}: bit ${bit & 7} of byte ${at}`)
    else codes.add(result.failure.code)
  }
  return { flipped, accepted, codes }
}
