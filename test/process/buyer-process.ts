import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  limitMarksIn,
  createPayer,
  type LightningWallet,
  type PaymentRecord,
} from '../../src/core/payments/index.ts'
import type { PaymentTransport, TransportResponse } from '../../src/core/gateway/relay/index.ts'
import { acquireExclusiveLock } from '../../src/core/storage/exclusive-lock.ts'
import { createStore } from '../../src/core/storage/index.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { mintInvoice } from '../core/payments/mint-invoice.ts'
import { limitClockOf } from '../core/payments/scripted-clock.ts'
import { VirtualClock } from '../core/payments/virtual-clock.ts'
import type { AffordableKind, BuyerOrder, BuyerReport, BuyerMessage } from './buyer.ts'

/**
 * Buys one thing over a journal in a folder, as a process that tests can kill. Its wallet and its service
 * store their actions in their own files, as real ones would: a kill undoes none of them.
 */
const order = JSON.parse(process.argv[2] ?? '{}') as BuyerOrder
const msg = (message: BuyerMessage): void => void process.send?.(message)
const ownId = `${order.varied ? 'varied' : 'purchase'}-${randomBytes(6).toString('hex')}`
/**
 * Ends the process here as `kill -9` does, if the order requires it. Only the process's own purchase counts,
 * because it also resumes other purchases.
 */
const killAtPoint = (point: string, id: string): void => {
  if (id !== ownId) return
  msg('stepped')
  if (order.killAt === point) process.kill(process.pid, 'SIGKILL')
}

/** The kind of a purchase and the wallet's behavior for it: the same in every process. */
const kindOf = (id: string): AffordableKind =>
  varied(id) ? (['image', 'video', 'topup'] as const)[digest(id)[1]! % 3]! : 'image'
const mannerOf = (id: string) =>
  varied(id)
    ? (['prompt', 'late', 'twice', 'wrong', 'refusing', 'silent'] as const)[digest(id)[2]! % 6]!
    : 'prompt'
const varied = (id: string): boolean => id.startsWith('varied-')
const digest = (id: string): Buffer => createHash('sha256').update(id).digest()

async function live(): Promise<void> {
  const clock = order.finish ? new VirtualClock(Date.now()) : undefined
  const now = clock ? clock.now : Date.now
  const store = createStore({ folder: order.folder, key: Buffer.alloc(32, 7), now })
  const journal = {
    ...store.payments,
    put(record: PaymentRecord) {
      killAtPoint(`before put ${record.state}`, record.id)
      store.payments.put(record)
      killAtPoint(`after put ${record.state}`, record.id)
    },
  }
  const files = {
    ...store.deliveredFiles,
    async save(id: string, index: number, body: AsyncIterable<Uint8Array>) {
      killAtPoint(`before file ${String(index)}`, id)
      const bytes = await store.deliveredFiles.save(id, index, body)
      killAtPoint(`after file ${String(index)}`, id)
      return bytes
    },
  }
  const payer = createPayer({
    journal,
    files,
    transport,
    now,
    limitClock: limitClockOf(now, { marks: limitMarksIn(store.settings) }),
    monotonic: now,
    wallet: () => wallet,
    ...(clock && { wait: clock.wait }),
    service: { host: 'pay.service.example', lightningNetwork: 'regtest', kind: 'service' },
    limits: () => ({
      perPayment: 10n ** 9n,
      perDay: 10n ** 12n,
      perHostAndDay: 10n ** 12n,
      automaticUpTo: 10n ** 9n,
    }),
    confirm: { ask: () => Promise.resolve(true), pending: () => null, answer: () => ({ accepted: false }) },
    requireIntact: () => undefined,
    resumedAt: { read: () => 0, write: () => undefined },
    newId: () => ownId,
  })
  if (clock) walletCatchesUp()
  payer.resume()
  msg('started')
  if (!clock) {
    const never = new AbortController().signal
    if (kindOf(ownId) === 'topup') {
      await payer.payInvoice(
        { topupId: ownId, invoice: issue(ownId).invoice, caller: { kind: 'window' }, from: 'window' },
        never,
      )
      payer.credited(ownId)
      return msg('bought')
    }
    const endpoint = kindOf(ownId) === 'video' ? 'videos' : 'images/generations'
    const quoted = await payer.quote(
      { endpoint, method: 'POST', path: `/v1/${endpoint}`, body: Buffer.from(ownId) },
      { caller: { kind: 'window' }, subject: 'brush' },
      never,
    )
    if (quoted.kind !== 'quoted') throw new Error('not asked to pay')
    await payer.pay(quoted.record.id, { asks: 'person', from: 'window' }, never)
    return msg('bought')
  }
  // Real time passes for the disk, and virtual time makes the invoices expire.
  for (
    let minutes = 0;
    minutes < 60 && payer.list(10_000).some(({ state }) => !atEnd.has(state));
    minutes++
  ) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    await clock.pass(60_000)
    for (const { state, purpose } of payer.list(10_000))
      if (state === 'paid' && purpose.kind === 'topup') payer.credited(purpose.topupId)
  }
  const payments: BuyerReport['payments'] = await Promise.all(
    payer.list(10_000).map(async ({ id, state, paymentHash }) => ({
      id,
      state,
      paymentHash,
      kind: kindOf(id),
      whole:
        kindOf(id) === 'topup' ||
        ((await text(id, 0)) === answerFor(id) && (await text(id, 1)) === `image of ${id}`),
    })),
  )
  const { day, reserved } = payer.spent()
  msg({ payments, day: day.toString(), held: reserved.toString() })

  async function text(id: string, index: number): Promise<string> {
    const bytes = await store.deliveredFiles.read(id, index)
    return bytes ? Buffer.from(bytes).toString() : ''
  }
}

const atEnd = new Set(['declined', 'failed', 'expired', 'delivered', 'undelivered'])
const answerFor = (id: string): string =>
  JSON.stringify(
    kindOf(id) === 'video'
      ? { id, status: 'pending', status_url: `own:job:${id}` }
      : { data: [{ url: `own:${id}` }] },
  )

/** A file of lines that outlives this process. */
function remembered(name: string): { add(line: string): void; all(): string[] } {
  const path = join(order.folder, name)
  return {
    add: (line) => appendFileSync(path, `${line}\n`),
    all: () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []),
  }
}

const looked = new Map<string, number>()

/**
 * After its relay has the request, the wallet pays, even if the caller no longer lives. The wallet also
 * delays some answers.
 */
const wallet: LightningWallet = {
  publicKey: 'ab'.repeat(32),
  canLookUp: true,
  async pay(invoice, { onLater }) {
    const [, id = '', preimage = '', hash = ''] = issued(invoice)
    remembered('relay.log').add(hash)
    killAtPoint('wallet asked', id)
    await new Promise((resolve) => {
      setTimeout(resolve, 3)
    })
    remembered('wallet.log').add(hash)
    killAtPoint('wallet paid', id)
    const proof = { preimage, feeMsat: 1000n }
    const later = () => void setTimeout(() => onLater?.(proof), 3)
    switch (mannerOf(id)) {
      case 'prompt':
        return { outcome: 'paid', ...proof }
      case 'twice':
        later()
        return { outcome: 'paid', ...proof }
      case 'late':
        later()
        return { outcome: 'unknown' }
      case 'wrong':
        return { outcome: 'paid', preimage: '00'.repeat(32) }
      case 'refusing':
        return { outcome: 'refused', code: 'wallet/payment-failed' }
      case 'silent':
        // Nothing more happens for a while, so that the process that kills this one gets the message.
        setTimeout(() => msg('bought'), 10)
        return new Promise(() => undefined)
    }
  },
  lookUp(hash) {
    const [, id = '', preimage = ''] = issued(hash)
    looked.set(id, (looked.get(id) ?? 0) + 1)
    // Some wallets first report a settled payment with a wrong preimage.
    if (mannerOf(id) === 'wrong' && looked.get(id) === 1)
      return Promise.resolve({ state: 'settled', preimage: 'ff'.repeat(32) })
    return Promise.resolve(
      remembered('wallet.log').all().includes(hash)
        ? { state: 'settled', preimage, feeMsat: 1000n }
        : { state: 'not-found' },
    )
  },
}

/** The wallet processes the requests that its relay still had. */
function walletCatchesUp(): void {
  const paid = remembered('wallet.log').all()
  for (const hash of remembered('relay.log').all())
    if (!paid.includes(hash)) remembered('wallet.log').add(hash)
}

const transport: PaymentTransport = {
  async send({ body }, { idempotencyKey: id, authorization }): Promise<TransportResponse> {
    if (Buffer.from(body).toString() !== id) throw new Error('another request than the one that was quoted')
    if (authorization === undefined) {
      const { invoice, paymentHash } = issue(id)
      return {
        kind: 'demand',
        status: 402,
        challenge: { scheme: 'l402', invoice, token: id, stated: { paymentHash } },
      }
    }
    const [invoice = '', , preimage = ''] = issued(id)
    killAtPoint('credential sent', id)
    if (authorization !== `L402 ${id}:${preimage}`) throw new Error('no proof')
    await new Promise((resolve) => {
      setTimeout(resolve, 2)
    })
    // Half of the purchases meet a service that delivers once; the others meet one that honors the
    // Idempotency-Key.
    const once = createHash('sha256').update(id).digest()[0]! % 2 === 0
    if (once && remembered('service.log').all().includes(id))
      throw new SottoError('service/challenge-invalid')
    remembered('service.log').add(id)
    killAtPoint('service delivered', id)
    return {
      kind: 'answer',
      status: kindOf(id) === 'video' ? 202 : 200,
      contentType: 'application/json',
      body: bytes(answerFor(invoice === '' ? '' : id)),
    }
  },
  fetchOwn: (address) => {
    const [, job] = /^own:job:(.*)$/.exec(address) ?? []
    if (job === undefined)
      return Promise.resolve({
        status: 200,
        contentType: 'image/png',
        body: bytes(`image of ${address.slice('own:'.length)}`),
      })
    return Promise.resolve({
      status: 200,
      contentType: 'application/json',
      body: bytes(JSON.stringify({ id: job, status: 'completed', data: [{ url: `own:${job}` }] })),
    })
  },
}

function issue(id: string) {
  const minted = mintInvoice({ timestamp: Math.floor(Date.now() / 1000), expirySeconds: 300 })
  remembered('issued.log').add([minted.invoice, id, minted.preimage, minted.paymentHash].join(' '))
  return minted
}

/** The line with this invoice, purchase or hash. */
function issued(named: string): string[] {
  return (
    remembered('issued.log')
      .all()
      .map((line) => line.split(' '))
      .find((fields) => fields.includes(named)) ?? []
  )
}

async function* bytes(content: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(content))
}

const lock = acquireExclusiveLock(join(order.folder, 'lock'))
if (!lock) {
  msg('taken')
  process.disconnect()
} else {
  process.on('disconnect', () => process.exit(0))
  await live()
}
