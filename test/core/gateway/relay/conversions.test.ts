import { describe, expect, it } from 'vitest'
import {
  Conversions,
  type Conversion,
  type ConversionRequest,
} from '../../../../src/core/gateway/relay/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const requestFor = (
  content: Uint8Array,
  signal = new AbortController().signal,
  name = 'a.pdf',
): ConversionRequest => ({ name, content, signal, caller: { kind: 'window' } })

function open(accountId: () => string | null = () => 'account') {
  const sent: {
    request: ConversionRequest
    finish: (conversion: Conversion) => void
    fail: (thrown: SottoError) => void
  }[] = []
  const conversions = new Conversions({
    accountId,
    convert: (request) =>
      new Promise((finish, fail) => {
        sent.push({ request, finish, fail })
        request.signal.addEventListener('abort', () => fail(new SottoError('request/canceled')))
      }),
  })
  return { conversions, sent }
}

const done = (text = 'text'): Conversion => ({ text, receiptId: 'r-1' })

describe('conversions', () => {
  it('converts a document once, also one without text', async () => {
    const { conversions, sent } = open()
    const first = conversions.convert(requestFor(bytes('one')))
    sent[0]?.finish(done(''))
    expect(await first).toEqual(done(''))
    expect(conversions.has('other-name.PDF', bytes('one'))).toBe(true)
    expect(await conversions.convert(requestFor(bytes('one')))).toEqual(done(''))
    expect(sent).toHaveLength(1)
  })

  it('converts it again for another account, another ending and other bytes', async () => {
    let account = 'first'
    const { conversions, sent } = open(() => account)
    const finish = async (request: ConversionRequest): Promise<void> => {
      const converted = conversions.convert(request)
      sent.at(-1)?.finish(done())
      await converted
    }
    await finish(requestFor(bytes('one')))
    await finish(requestFor(bytes('two')))
    await finish(requestFor(bytes('one'), undefined, 'a.docx'))
    account = 'second'
    await finish(requestFor(bytes('one')))
    expect(sent).toHaveLength(4)
  })

  it('shares one request among concurrent callers, and stops it when the last one has left', async () => {
    const { conversions, sent } = open()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = conversions.convert(requestFor(bytes('one'), one.signal))
    const second = conversions.convert(requestFor(bytes('one'), two.signal))
    expect(sent).toHaveLength(1)
    one.abort()
    await expect(first).rejects.toMatchObject({ code: 'request/canceled' })
    expect(sent[0]?.request.signal.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toMatchObject({ code: 'request/canceled' })
    expect(sent[0]?.request.signal.aborted).toBe(true)
    const third = conversions.convert(requestFor(bytes('one')))
    expect(sent).toHaveLength(2)
    sent[1]?.finish(done())
    expect(await third).toEqual(done())
  })

  it('forgets a failure', async () => {
    const { conversions, sent } = open()
    const first = conversions.convert(requestFor(bytes('one')))
    sent[0]?.fail(new SottoError('service/unavailable'))
    await expect(first).rejects.toMatchObject({ code: 'service/unavailable' })
    expect(conversions.has('a.pdf', bytes('one'))).toBe(false)
    void conversions.convert(requestFor(bytes('one'))).catch(() => undefined)
    expect(sent).toHaveLength(2)
  })

  it('drops the oldest results first', async () => {
    const { conversions, sent } = open()
    for (let count = 0; count < 33; count++) {
      const converted = conversions.convert(requestFor(bytes(String(count))))
      sent.at(-1)?.finish(done())
      await converted
    }
    expect([
      conversions.has('a.pdf', bytes('0')),
      conversions.has('a.pdf', bytes('1')),
      conversions.has('a.pdf', bytes('32')),
    ]).toEqual([false, true, true])
  })

  it('stops and drops everything when it is disposed', async () => {
    const { conversions, sent } = open()
    const cached = conversions.convert(requestFor(bytes('one')))
    sent[0]?.finish(done())
    await cached
    const running = conversions.convert(requestFor(bytes('two')))
    conversions[Symbol.dispose]()
    await expect(running).rejects.toMatchObject({ code: 'request/canceled' })
    expect(conversions.has('a.pdf', bytes('one'))).toBe(false)
  })
})
