import { QuoteVerifier } from '@phala/dcap-qvl'
import { tdxSteps, type TdxInput } from '../../../src/verifier/tdx/index.ts'
import { answersOf, intelRoot, pcsResponses, type SavedCollateral } from './real-tdx.ts'

/** Evidence as it was saved, before or after a change. */
export interface Saved {
  readonly quote: Buffer
  readonly collateral: SavedCollateral
}

export type Part = 'quote' | keyof SavedCollateral

/** What dcap-qvl reads of a quote and its collateral, each part as often as it is worth trying. */
const parts: readonly Part[] = [
  'quote',
  'quote',
  'quote',
  'quote',
  'quote',
  'quote',
  'tcb_info',
  'tcb_info',
  'tcb_info_signature',
  'qe_identity',
  'qe_identity',
  'qe_identity_signature',
  'tcb_info_issuer_chain',
  'qe_identity_issuer_chain',
  'pck_crl',
  'pck_crl',
  'root_ca_crl',
]
const hexParts: readonly Part[] = ['tcb_info_signature', 'qe_identity_signature', 'pck_crl', 'root_ca_crl']

export interface Mutation {
  readonly part: Part
  readonly kind: 'flip' | 'set' | 'cut' | 'insert' | 'repeat' | 'swap' | 'end'
  readonly at: number
}

/** Mulberry32: the same seed gives the same mutations. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const kinds = ['flip', 'flip', 'flip', 'set', 'cut', 'insert', 'repeat', 'swap', 'end'] as const

/** One change of one part, by the seed. */
function mutate(saved: Saved, seed: number): { mutation: Mutation; mutated: Saved } {
  const random = generator(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const part = parts[below(parts.length)] ?? 'quote'
  const kind = kinds[below(kinds.length)] ?? 'flip'
  const before = bytesOf(saved, part)
  const at = below(before.length)
  const count = 1 + below(24)
  const bytes = Buffer.from(before)
  const after = (() => {
    switch (kind) {
      case 'flip':
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(8)), at)
        return bytes
      case 'set':
        bytes.writeUInt8(below(256), at)
        return bytes
      case 'cut':
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)])
      case 'insert':
        return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(count, below(256)), bytes.subarray(at)])
      case 'repeat':
        return Buffer.concat([bytes.subarray(0, at + count), bytes.subarray(at)])
      case 'swap':
        return Buffer.concat([
          bytes.subarray(0, at),
          bytes.subarray(at, at + count).toReversed(),
          bytes.subarray(at + count),
        ])
      case 'end':
        return bytes.subarray(0, at)
    }
  })()
  return { mutation: { part, kind, at }, mutated: withBytes(saved, part, after) }
}

function bytesOf({ quote, collateral }: Saved, part: Part): Buffer {
  if (part === 'quote') return quote
  return Buffer.from(collateral[part], hexParts.includes(part) ? 'hex' : 'latin1')
}

function withBytes(saved: Saved, part: Part, bytes: Buffer): Saved {
  if (part === 'quote') return { ...saved, quote: bytes }
  return {
    ...saved,
    collateral: { ...saved.collateral, [part]: bytes.toString(hexParts.includes(part) ? 'hex' : 'latin1') },
  }
}

/** `good`, or the code. */
export function ourAnswer({ quote, collateral }: Saved, input: TdxInput): string {
  const result = tdxSteps.verify({ ...input, quote, collateral: pcsResponses(answersOf(collateral)) })
  return result.good ? 'good' : result.failure.code
}

/** What the library throws, or the status; it leaves to its caller which status to accept. */
export function theirAnswer({ quote, collateral }: Saved, now: number): string {
  try {
    const { status } = QuoteVerifier.newWithRootCa(Buffer.from(intelRoot)).verify(
      quote,
      collateral,
      now / 1000,
    )
    return status === 'UpToDate' ? 'good' : status
  } catch (error) {
    return String(error)
  }
}

interface Difference {
  readonly part: Part
  readonly code: string
  readonly because: string
}

const LIST =
  'it looks for serial numbers in a list that it can read, and asks neither who made the list nor when'
const PEM = 'it takes PEM with other characters between the blocks and inside of them'

/** Where dcap-qvl accepts what is refused here. Of nothing that it refuses is there an acceptance here. */
const differences: readonly Difference[] = [
  { part: 'pck_crl', code: 'intel/pck-crl-invalid', because: LIST },
  { part: 'root_ca_crl', code: 'intel/root-crl-invalid', because: LIST },
  { part: 'quote', code: 'quote/length', because: 'it does not look at what follows the quote' },
  { part: 'quote', code: 'pck/chain-malformed', because: PEM },
  { part: 'tcb_info_issuer_chain', code: 'intel/signer-invalid', because: PEM },
  { part: 'qe_identity_issuer_chain', code: 'intel/signer-invalid', because: PEM },
]

export interface Comparison {
  readonly accepted: number
  readonly refused: number
  /** Refused here and accepted there, each for a reason that is listed. */
  readonly explained: ReadonlyMap<Difference, number>
  readonly unexplained: readonly string[]
}

/** Puts the mutations of these seeds to both. */
export function compare(saved: Saved, input: TdxInput, seeds: number): Comparison {
  const explained = new Map<Difference, number>()
  const unexplained: string[] = []
  let accepted = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const { mutation, mutated } = mutate(saved, seed)
    const ours = ourAnswer(mutated, input)
    const theirs = theirAnswer(mutated, input.now)
    if (ours === 'good') accepted++
    if ((ours === 'good') === (theirs === 'good')) continue
    const difference = differences.find(({ part, code }) => part === mutation.part && code === ours)
    if (difference && theirs === 'good') explained.set(difference, (explained.get(difference) ?? 0) + 1)
    else
      unexplained.push(
        `seed ${seed}: ${mutation.part} ${mutation.kind} at ${mutation.at}: ${ours} here, ${theirs} there`,
      )
  }
  return { accepted, refused: seeds - accepted, explained, unexplained }
}
