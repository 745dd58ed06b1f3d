import { attestationCodes } from '../../verifier/types.ts'
import type { ChatRoute, ServiceEnclaveView } from '../../shared/chat-route.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ImageRule } from '../../shared/policy/service-enclave.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import { parseStrictJson, type JsonValue } from '../../shared/strict-json.ts'
import { confirmed } from '../app/confirm.ts'
import type { ApiContext } from '../rpc/context.ts'
import type { Implementer } from '../rpc/implementer.ts'
import {
  acceptedImages,
  acceptImage,
  chooseChatRoute,
  chooseImageRule,
  chosenChatRoute,
  removeImage,
} from './service-enclave-choices.ts'

/** From the least that the service can read to the most. */
const openness: Readonly<Record<ChatRoute, number>> = { relayed: 0, 'relayed-if-verified': 1, forwarded: 2 }
/** From the strongest rule to the weakest. */
const leniency: Readonly<Record<ImageRule, number>> = { proven: 0, approved: 1, published: 2 }

/**
 * Handles serviceEnclaveContract. A change that weakens protection is confirmed outside the window first. A
 * change of the accepted images ends the verdict in force.
 * @throws {SottoError} vault/locked, relay/…, proof/missing, attestation/…, channel/crypto-unavailable,
 * store/damaged, confirm/…
 */
export function serviceEnclaveArea(core: ApiContext, os: Implementer['serviceEnclave']) {
  function parts() {
    const {
      relay: { serviceEnclave: channel },
      store: { settings, verifiedEnclaves },
    } = core.open()
    const policy = core.serviceEnclave
    if (!channel || !policy) throw new SottoError('relay/unavailable')
    return { channel, policy, settings, verifiedEnclaves }
  }

  function view(): ServiceEnclaveView {
    const { channel, policy, settings, verifiedEnclaves } = parts()
    return {
      host: new URL(policy.baseUrl).host,
      recordHost: new URL(policy.imageRecordUrl).host,
      route: chosenChatRoute(settings),
      ...acceptedImages(settings),
      verdict: channel.current(),
      image: channel.image(),
      history: verifiedEnclaves.of(new URL(policy.baseUrl).host),
    }
  }

  async function verified(): Promise<ServiceEnclaveView> {
    await parts().channel.verify()
    return view()
  }

  return {
    view: os.view.handler(() => (core.open().relay.serviceEnclave ? view() : null)),
    verify: os.verify.handler(() => verified()),
    proof: os.proof.handler(({ input: { enclaveId } }) => {
      const { channel, verifiedEnclaves } = parts()
      const proof = enclaveId === undefined ? channel.proof() : verifiedEnclaves.proof(enclaveId)
      if (!proof) throw new SottoError('proof/missing')
      return proof
    }),
    setRoute: os.setRoute.handler(async ({ input: { route }, ...call }) => {
      const { settings } = parts()
      const before = chosenChatRoute(settings)
      if (openness[route] > openness[before]) await confirmed(core, routeQuestion(route), call)
      chooseChatRoute(settings, route)
      return view()
    }),
    setRule: os.setRule.handler(async ({ input: { rule }, ...call }) => {
      const { settings, channel, policy } = parts()
      const before = acceptedImages(settings).rule
      if (rule === before) return view()
      if (leniency[rule] > leniency[before]) {
        await confirmed(
          core,
          rule === 'published'
            ? msg('Accept every image that {host} lists as the service’s? The list isn’t signed.', {
                host: new URL(policy.imageRecordUrl).host,
              })
            : msg(
                'Also accept images of the service’s enclave that you approve, without proof of where they come from?',
              ),
          call,
        )
      }
      chooseImageRule(settings, rule)
      channel.invalidate()
      return view()
    }),
    approveImage: os.approveImage.handler(async ({ input: { pcr0 }, ...call }) => {
      const { settings, channel, policy } = parts()
      if (pcr0 !== channel.image()) throw new SottoError('relay/no-image-waiting')
      await confirmed(
        core,
        msg(
          'Accept only images of {host} that you approve, and approve this one? It can read the requests sent to it. PCR0 {pcr0}',
          { host: new URL(policy.baseUrl).host, pcr0 },
        ),
        call,
      )
      acceptImage(settings, 'approved', { pcr0 })
      // From now on only approved images count, regardless of the record.
      chooseImageRule(settings, 'approved')
      channel.invalidate()
      return verified()
    }),
    proveImage: os.proveImage.handler(async ({ input }) => {
      const { settings, channel } = parts()
      const file = Buffer.from(input.file, 'base64')
      const result = await channel.prove(file, bundleOf(Buffer.from(input.bundle, 'base64')))
      if (!result.good) {
        const { failure } = result
        throw new SottoError('relay/provenance-refused', { detail: msg(attestationCodes[failure.code]) })
      }
      acceptImage(settings, 'proven', { pcr0: result.image.pcr0, commit: result.image.commit })
      channel.invalidate()
      return view()
    }),
    removeImage: os.removeImage.handler(({ input: { pcr0 } }) => {
      const { settings, channel } = parts()
      removeImage(settings, pcr0)
      channel.invalidate()
      return view()
    }),
  }
}

function routeQuestion(route: ChatRoute): LocalizedText {
  return route === 'forwarded'
    ? msg('Let the service read all chats with models that aren’t private?')
    : msg(
        'Let the service read chats with models that aren’t private whenever its enclave can’t be verified?',
      )
}

function bundleOf(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes)
  } catch {
    throw new SottoError('relay/provenance-refused', {
      detail: msg('The provenance bundle isn’t valid JSON.'),
    })
  }
}
