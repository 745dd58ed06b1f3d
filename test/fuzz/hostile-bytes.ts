import fc from 'fast-check'

/** The number of inputs for each parser. */
export const parserRuns = Number(process.env['SOTTO_FUZZ_RUNS'] ?? 100_000)

export interface Edit {
  readonly kind: 'flip' | 'cut' | 'insert' | 'repeat'
  readonly at: number
  readonly count: number
  readonly bytes: Uint8Array
}

/** Cuts, flips, insertions and repetitions, several at once. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat'),
    at: fc.nat(),
    count: fc.nat({ max: 40 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 4 },
)

export function edited(input: Uint8Array, changes: readonly Edit[]): Buffer {
  return changes.reduce<Buffer>((bytes, { kind, at: position, count, bytes: other }) => {
    const at = bytes.length === 0 ? 0 : position % bytes.length
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (kind) {
      case 'flip':
        return Buffer.concat([before, other.subarray(0, after.length), after.subarray(other.length)])
      case 'cut':
        return Buffer.concat([before, after.subarray(count)])
      case 'insert':
        return Buffer.concat([before, other, after])
      case 'repeat':
        return Buffer.concat([before, after.subarray(0, count), after])
    }
  }, Buffer.from(input))
}

type Fault = new (...args: never[]) => Error

/**
 * @returns the result of the reader, or undefined if it threw one of these errors; any other error is a fault of
 * the reader
 */
export function readOrRefuse<T>(read: () => T, ...allowed: readonly Fault[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (allowed.some((kind) => error instanceof kind)) return undefined
    throw error
  }
}

/**
 * Gives a reader `parserRuns` inputs: half of them random bytes, half of them edited genuine inputs.
 * @param check asserts the result of the reader, or its refusal
 */
export function fuzz(genuine: Uint8Array, check: (input: Uint8Array) => void, maxLength = 300): void {
  const half = { numRuns: Math.ceil(parserRuns / 2) }
  fc.assert(fc.property(fc.uint8Array({ maxLength }), check), half)
  fc.assert(
    fc.property(edits, (changes) => check(edited(genuine, changes))),
    half,
  )
}
