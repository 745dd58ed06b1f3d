import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  readImageRecord,
  RoutingReceiptReader,
  routingReceiptsOfHeaders,
} from '../../src/verifier/service-enclave/index.ts'
import { EvidenceError } from '../../src/verifier/text.ts'
import { verdictSchema } from '../../src/shared/verdict.ts'
import { routingSchema } from '../../src/shared/routing.ts'
import { assess, genuine, recordBytes, SPKI } from '../verifier/service-enclave/minted-answer.ts'
import { verifyReceipt, signed, textOf } from '../verifier/service-enclave/minted-receipt.ts'
import { statedFactsExcept } from '../verifier/stated-facts.ts'
import { edited, edits, fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'

const answer = Buffer.from(JSON.stringify(genuine))
const receipt = signed(textOf())
const stream = Buffer.from(
  `: PPQ.AI PROCESSING\n\n: ppq-routing-receipt ${receipt.json}\n: ppq-routing-receipt-sig ${receipt.signature}\n\ndata: {"x":1}\n\ndata: [DONE]\n\n`,
)

/** Each that is accepted costs five signature checks. */
it('an answer of the service’s enclave states the same facts, or is refused', { timeout: 3600_000 }, () => {
  const original = assess({ answer })
  const facts = JSON.stringify(statedFactsExcept(original.verdict, original.verdict))
  fc.assert(
    fc.property(edits, (changes) => {
      const { verdict, tlsKey } = assess({ answer: edited(answer, changes) })
      expect(verdictSchema.safeParse(verdict).success).toBe(true)
      if (!verdict.good) return
      expect(JSON.stringify(statedFactsExcept(verdict, original.verdict))).toBe(facts)
      if (tlsKey) expect(SPKI.equals(tlsKey)).toBe(true)
    }),
    { numRuns: Math.ceil(parserRuns / 10) },
  )
})

it('records of images', () => {
  fuzz(recordBytes(), (input) => {
    const read = readOrRefuse(() => readImageRecord(input), EvidenceError)
    if (read)
      expect(read.accepted.every((pcr0) => /^[0-9a-f]{96}$/.test(pcr0) && !/^0+$/.test(pcr0))).toBe(true)
  })
})

it(
  'routing receipts: an edited stream is read the same in any chunks, and verifies only the signed text',
  { timeout: 3600_000 },
  () => {
    fc.assert(
      fc.property(edits, fc.nat(), (changes, cut) => {
        const bytes = edited(stream, changes)
        const whole = read(bytes)
        expect(
          read(bytes.subarray(0, cut % (bytes.length + 1)), bytes.subarray(cut % (bytes.length + 1))),
        ).toEqual(whole)
        const routing = verifyReceipt('', { found: whole })
        expect(routingSchema.safeParse(routing).success).toBe(true)
        if (routing.state === 'verified') expect(routing.proof?.receipt).toBe(receipt.json)
      }),
      { numRuns: Math.ceil(parserRuns / 2) },
    )
  },
)

it('routing receipts in headers', () => {
  const header = Buffer.from(Buffer.from(receipt.json).toString('base64'))
  fuzz(header, (input) => {
    const routing = verifyReceipt('', {
      found: routingReceiptsOfHeaders((name) =>
        name.endsWith('-sig') ? receipt.signature : Buffer.from(input).toString('latin1'),
      ),
    })
    if (routing.state === 'verified') expect(routing.proof?.receipt).toBe(receipt.json)
  })
})

function read(...chunks: readonly Uint8Array[]): ReturnType<RoutingReceiptReader['found']> {
  const reader = new RoutingReceiptReader()
  for (const chunk of chunks) reader.push(chunk)
  return reader.found()
}
