import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  BATCH,
  HpkeContextPool,
  STOCK,
  type SetupPreparer,
} from '../../../../src/core/gateway/channel/hpke-context-pool.ts'
import { SETUP_BYTES } from '../../../../src/ehbp/index.ts'

const KEYS = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)]
const key = (at: number) => KEYS[at % KEYS.length] ?? ''

/** Writes into each setup its key and a unique number, and answers only when the test calls `answer` or `fail`. */
class FakePreparer implements SetupPreparer {
  readonly prepared: { readonly key: string; readonly batch: Uint8Array }[] = []
  readonly #asked: {
    key: string
    count: number
    done: (batch: Uint8Array) => void
    failed: (cause: Error) => void
  }[] = []
  #made = 0
  closed = false

  prepare(recipientPublicKey: Uint8Array, count: number): Promise<Uint8Array> {
    return new Promise((done, failed) =>
      this.#asked.push({ key: Buffer.from(recipientPublicKey).toString('hex'), count, done, failed }),
    )
  }
  close(): void {
    this.closed = true
  }
  async answer(): Promise<void> {
    const asked = this.#asked.shift()
    if (asked) {
      const batch = Buffer.alloc(asked.count * SETUP_BYTES)
      for (let at = 0; at < asked.count; at += 1) {
        this.#made += 1
        batch.write(asked.key, at * SETUP_BYTES, 'hex')
        batch.writeUInt32BE(this.#made, at * SETUP_BYTES + 32)
      }
      this.prepared.push({ key: asked.key, batch })
      asked.done(batch)
    }
    await settled()
  }
  async fail(): Promise<void> {
    this.#asked.shift()?.failed(new Error('no more'))
    await settled()
  }
  get asked(): number {
    return this.#asked.length
  }
}

/** Waits until the pool has processed an answer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)
const marks = (setup: Uint8Array) => ({
  key: Buffer.from(setup.subarray(0, 32)).toString('hex'),
  number: Buffer.from(setup).readUInt32BE(32),
})

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('take' as const), at: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('take many' as const),
      at: fc.nat(2),
      count: fc.integer({ min: 1, max: 80 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('serve' as const), at: fc.nat(2) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const) }) },
)

afterEach(() => vi.useRealTimers())

describe('the stock of setups', () => {
  it('gives each out once, for the key that it was prepared for, and keeps none of another key or of no key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const preparer = new FakePreparer()
        const stock = new HpkeContextPool(() => preparer)
        const seen = new Set<number>()
        let inForce: string | undefined
        const take = (wanted: string) => {
          inForce = wanted
          const setup = stock.take(wanted)
          if (!setup) return
          const { key: preparedFor, number } = marks(setup)
          expect(preparedFor).toBe(wanted)
          expect(setup.byteLength).toBe(SETUP_BYTES)
          // Each setup has separate memory, so zeroing one can't change another.
          expect(setup.buffer.byteLength).toBe(SETUP_BYTES)
          expect(seen.has(number)).toBe(false)
          seen.add(number)
        }
        for (const each of steps) {
          switch (each.kind) {
            case 'take':
              take(key(each.at))
              break
            case 'take many':
              for (let count = 0; count < each.count; count += 1) take(key(each.at))
              break
            case 'serve':
              stock.serve((inForce = key(each.at)))
              break
            case 'answer':
              await preparer.answer()
              break
            case 'drop':
              stock.drop()
              inForce = undefined
              break
          }
          expect(stock.count).toBeLessThanOrEqual(STOCK)
          let left = 0
          for (const { key: preparedFor, batch } of preparer.prepared) {
            if (preparedFor !== inForce) expect(isZero(batch)).toBe(true)
            for (let at = 0; at < BATCH; at += 1) {
              const setup = batch.subarray(at * SETUP_BYTES, (at + 1) * SETUP_BYTES)
              if (isZero(setup)) continue
              left += 1
              // A setup that was given out is zeroed in the pool.
              expect(seen.has(marks(setup).number)).toBe(false)
            }
          }
          expect(left).toBe(stock.count)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('prepares nothing before there is a key, then until it is full, and again from half on', async () => {
    const preparer = new FakePreparer()
    let started = 0
    const stock = new HpkeContextPool(() => {
      started += 1
      return preparer
    })
    expect([started, stock.count]).toEqual([0, 0])
    expect(stock.take(key(0))).toBeUndefined()
    for (let batch = 1; batch <= STOCK / BATCH; batch += 1) {
      expect([preparer.asked, stock.count]).toEqual([1, (batch - 1) * BATCH])
      await preparer.answer()
    }
    expect([started, preparer.asked, stock.count]).toEqual([1, 0, STOCK])
    for (let count = 0; count < STOCK / 2; count += 1) expect(stock.take(key(0))).toBeDefined()
    expect(preparer.asked).toBe(0)
    stock.take(key(0))
    expect(preparer.asked).toBe(1)
  })

  it.each([
    ['that fails', (preparer: FakePreparer) => preparer.fail()],
    [
      'that is cut short',
      async (preparer: FakePreparer) => {
        preparer.prepare = () => Promise.resolve(new Uint8Array(SETUP_BYTES))
        await preparer.answer()
        await preparer.answer()
      },
    ],
  ])('does without a preparer %s, for good', async (_how, end) => {
    const preparer = new FakePreparer()
    const stock = new HpkeContextPool(() => preparer)
    stock.serve(key(0))
    await end(preparer)
    expect([preparer.closed, stock.count]).toEqual([true, 0])
    for (let count = 0; count < 10; count += 1) expect(stock.take(key(0))).toBeUndefined()
    expect(preparer.asked).toBe(0)
  })

  it('lets the preparer go when it has not been needed for a minute, and starts another when it is', async () => {
    vi.useFakeTimers()
    const started: FakePreparer[] = []
    const stock = new HpkeContextPool(
      () => started[started.push(new FakePreparer()) - 1] ?? new FakePreparer(),
    )
    stock.serve(key(0))
    for (let batch = 0; batch < STOCK / BATCH; batch += 1) await started[0]?.answer()
    vi.advanceTimersByTime(59_999)
    expect(started[0]?.closed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(started[0]?.closed).toBe(true)
    expect(stock.count).toBe(STOCK)
    for (let count = 0; count < STOCK / 2; count += 1) expect(stock.take(key(0))).toBeDefined()
    expect([started.length, started[1]?.asked]).toEqual([1, undefined])
    stock.take(key(0))
    expect([started.length, started[1]?.asked]).toEqual([2, 1])
    stock.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps nothing once it is closed, also not what comes late', async () => {
    const preparer = new FakePreparer()
    const stock = new HpkeContextPool(() => preparer)
    stock.serve(key(0))
    await preparer.answer()
    stock.close()
    await preparer.answer()
    expect([preparer.closed, stock.count]).toEqual([true, 0])
    for (const { batch } of preparer.prepared) expect(isZero(batch)).toBe(true)
    expect(stock.take(key(0))).toBeUndefined()
  })
})
