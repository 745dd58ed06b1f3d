import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { halves, sendAnswer } from '../answer.ts'
import { interruptionOf, type ChatContext } from '../chat/serve-completion.ts'
import { gatewayDialect } from '../dialect.ts'
import type { ResponseSealer } from '../ehbp/exchange.ts'
import { querySource, type AccountPayer } from '../ledger/record.ts'
import { readMultipart } from '../media/multipart.ts'
import { conversionPriceUsd } from '../profile.ts'
import { gatewayRefusal, type Refusal } from '../refusal.ts'
import { convertDocument } from './convert-document.ts'

const pricePicoUsd = BigInt(Math.round(Number(conversionPriceUsd) * 1e6)) * 1_000_000n

/** A document that is paid for. */
interface BegunConversion {
  readonly body: string
}

/**
 * Reads the form inside the enclave, and charges for the document, also if it has no text.
 *
 * @returns `refusal` is sealed, and `shortage` isn't: the gateway decides on the credit without reading
 */
export function beginConversion(
  context: ChatContext,
  opened: Buffer,
  { payer, headers }: { payer: AccountPayer; headers: IncomingHttpHeaders },
): BegunConversion | { readonly refusal: Refusal } | { readonly shortage: Refusal } {
  const form = readMultipart(gatewayDialect)(opened, headers['content-type'])
  if ('refusal' in form) return form
  const file = form.value['files']
  if (file === undefined || typeof file === 'string')
    return { refusal: gatewayRefusal(400, 'The form has no file in the field "files"') }
  const charged = context.ledger.charge(
    payer,
    {
      model: 'document-conversion',
      type: 'document_conversion',
      source: querySource(headers),
      at: context.now(),
    },
    pricePicoUsd,
  )
  if (typeof charged !== 'number')
    return {
      shortage: charged === 'balance' ? gatewayDialect.insufficient(pricePicoUsd) : gatewayDialect.keyLimit,
    }
  return {
    body: JSON.stringify({
      document: { filename: file.name, md_content: convertDocument(file.bytes) },
      status: 'success',
    }),
  }
}

/** Writes the sealed answer, with its cost in a header that the gateway can read. */
export function serveConversion(
  context: ChatContext,
  { body }: BegunConversion,
  { response, sealer, signal }: { response: ServerResponse; sealer: ResponseSealer; signal: AbortSignal },
): Promise<void> {
  return sendAnswer(response, {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-tinfoil-usage-metrics': `cost_usd=${conversionPriceUsd}`,
    },
    pieces: halves(body),
    sealer,
    interruption: interruptionOf(context),
    interruptAfter: 1,
    signal,
  })
}
