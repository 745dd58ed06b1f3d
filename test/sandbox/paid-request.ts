import type { Service } from './service-client.ts'

/** Sends a request without a key, pays what is asked for it, and sends it again. */
export async function paidRequest(
  { control }: Service,
  url: string,
  init: RequestInit,
): Promise<{ readonly challenged: Response; readonly answer: Response }> {
  const challenged = await fetch(url, init)
  const parameters = challenged.headers.get('www-authenticate') ?? ''
  const [, id = ''] = /id="([^"]*)"/.exec(parameters) ?? []
  const [, request = ''] = /request="([^"]*)"/.exec(parameters) ?? []
  if (challenged.status !== 402)
    throw new Error(`not asked to pay: ${challenged.status} ${await challenged.text()}`)
  const {
    methodDetails: { invoice },
  } = JSON.parse(Buffer.from(request, 'base64url').toString()) as { methodDetails: { invoice: string } }
  const paid = await control.pay(invoice)
  if (!('preimage' in paid)) throw new Error(paid.failed)
  const headers = new Headers(init.headers)
  headers.set('authorization', `L402 ${id}:${paid.preimage}`)
  return { challenged, answer: await fetch(url, { ...init, headers }) }
}
