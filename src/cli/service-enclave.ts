import { readFile } from 'node:fs/promises'
import type { ChatRoute, ServiceEnclaveView } from '../shared/chat-route.ts'
import { changesBetween } from '../shared/enclave-change.ts'
import type { ImageRule } from '../shared/policy/service-enclave.ts'
import { verdictInEnglish } from '../shared/verdict.ts'
import { withCommandClient, print, failure, printFailure } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import { exits } from './exit-codes.ts'
import { changeLines, printVerdict } from './print-verdict.ts'
import { terminalSafe } from './format.ts'
import type { Output } from './json-output.ts'

/** `sotto service-enclave show`. Returns the exit code. */
export function showServiceEnclave({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ serviceEnclave }) => {
    const view = await serviceEnclave.view()
    if (view) return shown(view, json)
    print(
      json,
      { serviceEnclave: null },
      'This service has no enclave of its own: it can read chats with models that aren’t private.',
    )
    return 0
  })
}

/** `sotto service-enclave verify`. */
export function verifyServiceEnclave({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ serviceEnclave }) => {
    const {
      verdict,
      history: [current, before],
    } = await serviceEnclave.verify()
    if (!verdict) return 1
    // Shown only once, when the enclave has just changed.
    const changed =
      verdict.good && current && before && current.sinceAt === verdict.verifiedAt
        ? changeLines(before.lastSeenAt, changesBetween(before, current))
        : []
    printVerdict(verdict, json, verdict.good ? [...changed, WHO_READS] : [])
    return verdict.good ? 0 : 1
  })
}

/** `sotto service-enclave route`. A route that lets the service read more needs confirmation. */
export function setChatRoute(route: ChatRoute, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) =>
    shown(await confirmHere(client, (signal) => client.serviceEnclave.setRoute({ route }, { signal })), json),
  )
}

/** `sotto service-enclave rule`. A weaker rule needs confirmation. */
export function setImageRule(rule: ImageRule, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) =>
    shown(await confirmHere(client, (signal) => client.serviceEnclave.setRule({ rule }, { signal })), json),
  )
}

/** `sotto service-enclave approve`. Verifies first, because it approves the image that runs now. */
export function approveImage(pcr0: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    await client.serviceEnclave.verify()
    return shown(
      await confirmHere(client, (signal) => client.serviceEnclave.approveImage({ pcr0 }, { signal })),
      json,
    )
  })
}

/** `sotto service-enclave remove`. */
export function removeImage(pcr0: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async ({ serviceEnclave }) =>
    shown(await serviceEnclave.removeImage({ pcr0 }), json),
  )
}

/** `sotto service-enclave prove`. */
export async function proveImage(file: string, bundle: string, { json }: Output): Promise<number> {
  let read: [Buffer, Buffer]
  try {
    read = await Promise.all([readFile(file), readFile(bundle)])
  } catch {
    printFailure(failure('proof/unreadable'), json)
    return exits.unusable
  }
  const [fileBytes, bundleBytes] = read.map((bytes) => bytes.toString('base64'))
  return withCommandClient(json, async ({ serviceEnclave }) =>
    shown(await serviceEnclave.proveImage({ file: fileBytes ?? '', bundle: bundleBytes ?? '' }), json),
  )
}

const WHO_READS = 'The service can’t read chats that are sealed to this enclave. The model’s provider can.'

const routeLines: Readonly<Record<ChatRoute, string>> = {
  relayed: 'through the service’s verified enclave, or not at all. The model’s provider can read them',
  'relayed-if-verified': 'through the service’s enclave, or visible to the service if it can’t be verified',
  forwarded: 'visible to the service',
}

const ruleLines: Readonly<Record<ImageRule, string>> = {
  published: 'named in the service’s record, which isn’t signed',
  approved: 'approved by you',
  proven: 'with provenance that you added',
}

function shown(view: ServiceEnclaveView, json: boolean): number {
  const { verdict } = view
  print(
    json,
    { serviceEnclave: { ...view, verdict: verdict && verdictInEnglish(verdict) } },
    linesOf(view).map(terminalSafe).join('\n'),
  )
  return 0
}

function linesOf({
  host,
  recordHost,
  route,
  rule,
  approved,
  proven,
  verdict,
  image,
  history,
}: ServiceEnclaveView): string[] {
  return [
    `Chats with models that aren’t private: ${routeLines[route]}`,
    `Service’s enclave: ${host}, ${verdict ? (verdict.good ? 'verified' : `not verified: ${verdict.failure?.says ?? ''}`) : 'not verified yet'}`,
    `Accepted images: ${ruleLines[rule]}${rule === 'published' ? ` (from ${recordHost})` : ''}`,
    ...(history[0] ? [`Unchanged since: ${new Date(history[0].sinceAt).toISOString()}`] : []),
    ...(image === null ? [] : [`Image that runs: ${image}`]),
    ...approved.map(({ pcr0 }) => `Approved by you: ${pcr0}`),
    ...proven.map(({ pcr0, commit = 'unknown' }) => `Proven: ${pcr0}, commit ${commit}`),
  ]
}
