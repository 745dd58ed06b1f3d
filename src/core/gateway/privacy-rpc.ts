import type { PrivacyChoices } from '../../shared/contract/privacy.ts'
import { SottoError } from '../../shared/errors.ts'
import { measurementsOf, pinOf, pinsOf, samePin, type Pin } from '../../shared/pin.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import { describeFloorChange, providerFloors } from '../../shared/policy/provider-floor.ts'
import { releaseKey } from '../../shared/release-key.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { VerifiedEnclave } from '../../shared/verified-enclave.ts'
import { confirmed } from '../app/confirm.ts'
import type { ApiContext, UnlockedCore } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import {
  acceptProviderFloors,
  acceptsProviderFloors,
  asksBeforeNew,
  chooseFreshEvidence,
  chosenFreshEvidence,
  readNarrowing,
  setAsksBeforeNew,
  writeNarrowing,
} from './privacy-choices.ts'

/**
 * Handles privacyContract. A change that weakens protection is confirmed outside the window first. A change
 * of pins, of the approval of new releases or of the firmware floor ends the verdict in force, because it was
 * verified under the earlier settings.
 * @throws {SottoError} vault/locked, policy/…, privacy/no-release-waiting, privacy/measurement-unknown,
 * policy/no-provider-floor, proof/missing, self-test/unavailable, attestation/…, channel/crypto-unavailable,
 * store/damaged, confirm/…
 */
export function privacyArea(core: ApiContext, os: Implementer['privacy']) {
  function channel() {
    const { channel } = core.open().relay
    if (!channel) throw new SottoError('policy/missing')
    return channel
  }

  function policy(): AttestationPolicy {
    if (!core.policy) throw new SottoError('policy/missing')
    return core.policy
  }

  function pins(): Pin[] {
    return pinsOf(readNarrowing(core.open().store.settings).measurements ?? {})
  }

  /** Returns the main enclave first, then those of models with their own enclave. */
  function enclaves(): EnclaveChannel[] {
    return [channel(), ...(channel().others ?? [])]
  }

  function verifiedEnclaves(): VerifiedEnclave[] {
    const { verifiedEnclaves: known } = core.open().store
    return core.enclaveHosts.flatMap((host) => known.of(host)).sort((a, b) => b.lastSeenAt - a.lastSeenAt)
  }

  function choices(): PrivacyChoices {
    const { settings } = core.open().store
    const { nonceBound } = core.policy ?? {}
    const floors = core.policy ? providerFloors(core.policy) : []
    return {
      askBeforeNewRelease: asksBeforeNew(settings),
      pins: pins(),
      freshEvidence:
        nonceBound && !core.direct
          ? { chosen: chosenFreshEvidence(settings), host: new URL(nonceBound.origin).host }
          : null,
      ...(core.policy &&
        floors.length > 0 && {
          providerFloors: { accepted: acceptsProviderFloors(settings, core.policy), floors },
        }),
    }
  }

  function keepPins(next: readonly Pin[]): PrivacyChoices {
    const { settings } = core.open().store
    const { measurements: _, ...rest } = readNarrowing(settings)
    const measurements = measurementsOf(next)
    writeNarrowing(settings, policy(), { ...rest, ...(measurements && { measurements }) })
    // The verdict in force was verified under the earlier settings.
    core.open().relay.channel?.invalidate()
    return choices()
  }

  return {
    current: os.current.handler(() => core.open().relay.channel?.current() ?? null),
    verify: os.verify.handler((): Promise<Verdict> => channel().verify()),
    others: os.others.handler(() =>
      (core.open().relay.channel?.others ?? []).flatMap((enclave) => enclave.current() ?? []),
    ),
    acceptRelease: os.acceptRelease.handler(async ({ input, ...call }) => {
      const target = enclaves().find((enclave) => releaseKeyOf(enclave.current()) === input.release)
      const waiting = target?.current()
      if (!target || !waiting || releaseKey(waiting) !== input.release)
        throw new SottoError('privacy/no-release-waiting')
      const { enclaveHost, failure, release } = waiting
      if (failure?.code === 'release/older') {
        await confirmed(
          core,
          release
            ? msg('Trust the older release {tag} ({digest}) of {host}?', {
                tag: release.tag,
                digest: release.digest,
                host: enclaveHost,
              })
            : msg('Trust the older code of {host} with measurement {measurement}?', {
                measurement: input.release,
                host: enclaveHost,
              }),
          call,
        )
        core.open().store.verdicts.acceptOlder(enclaveHost, input.release)
      } else if (failure?.code === 'release/not-yet-trusted') {
        await confirmed(
          core,
          release
            ? msg('Trust the new release {tag} ({digest}) of {host}?', {
                tag: release.tag,
                digest: release.digest,
                host: enclaveHost,
              })
            : msg('Trust the new code of {host} with measurement {measurement}?', {
                measurement: input.release,
                host: enclaveHost,
              }),
          call,
        )
        core.open().store.verdicts.trust(enclaveHost, input.release)
      } else throw new SottoError('privacy/no-release-waiting')
      return target.verify()
    }),
    history: os.history.handler(() => verifiedEnclaves()),
    proof: os.proof.handler(({ input: { enclaveId } }) => {
      const { relay, store } = core.open()
      const proof = enclaveId === undefined ? relay.channel?.proof() : store.verifiedEnclaves.proof(enclaveId)
      if (!proof) throw new SottoError('proof/missing')
      return proof
    }),
    trust: os.trust.handler(() => core.trust()),
    choices: os.choices.handler(() => choices()),
    setAskBeforeNewRelease: os.setAskBeforeNewRelease.handler(async ({ input: { on }, ...call }) => {
      const { store, relay } = core.open()
      if (on === asksBeforeNew(store.settings)) return choices()
      if (!on) await confirmed(core, msg('Trust new enclave releases automatically from now on?'), call)
      setAsksBeforeNew(store.settings, on)
      relay.channel?.invalidate()
      return choices()
    }),
    setFreshEvidence: os.setFreshEvidence.handler(async ({ input: { from }, ...call }) => {
      const { store, relay } = core.open()
      const { nonceBound } = policy()
      if (!nonceBound || core.direct) throw new SottoError('policy/missing')
      const before = chosenFreshEvidence(store.settings)
      if (from === before) return choices()
      const { host } = new URL(nonceBound.origin)
      // The service can omit evidence that it should relay.
      if (before === 'direct')
        await confirmed(
          core,
          msg('Stop asking {host} for fresh evidence? Sotto may then accept older evidence.', { host }),
          call,
        )
      else if (from === 'never')
        await confirmed(
          core,
          msg('Stop asking for fresh evidence? Sotto may then accept older evidence.'),
          call,
        )
      chooseFreshEvidence(store.settings, from)
      relay.channel?.invalidate()
      return choices()
    }),
    pin: os.pin.handler(async ({ input: { enclaveId }, ...call }) => {
      const enclave = verifiedEnclaves().find(({ id }) => id === enclaveId)
      const pin = pinOf(enclave?.registers ?? [])
      if (!enclave || !pin) throw new SottoError('privacy/measurement-unknown')
      const before = pins()
      if (before.some((known) => samePin(known, pin))) return choices()
      if (before.length > 0)
        await confirmed(
          core,
          msg(
            'Also accept the measurement {measurement} of {host}, in addition to the pinned measurements?',
            { measurement: shown(pin), host: enclave.enclaveHost },
          ),
          call,
        )
      return keepPins([...pins(), pin])
    }),
    unpin: os.unpin.handler(async ({ input, ...call }) => {
      const rest = () => pins().filter((pin) => !samePin(pin, input.pin))
      if (rest().length === 0 && pins().length > 0)
        await confirmed(
          core,
          msg('Remove the last pin? Sotto will then accept any measurement that the policy accepts.'),
          call,
        )
      return keepPins(rest())
    }),
    setProviderFloors: os.setProviderFloors.handler(async ({ input: { accepted }, ...call }) => {
      const {
        store: { settings },
        relay,
      } = core.open()
      const { enclaveHost } = policy()
      const floors = providerFloors(policy())
      if (floors.length === 0) throw new SottoError('policy/no-provider-floor')
      if (accepted === acceptsProviderFloors(settings, policy())) return choices()
      if (accepted)
        await confirmed(
          core,
          msg(
            'Lower the minimum firmware for {host} to the provider’s ({levels})? Servers without the fix for AMD-SB-3019 can run forged microcode, and would pass verification.',
            { host: enclaveHost, levels: floors.map(describeFloorChange).join('; ') },
          ),
          call,
        )
      acceptProviderFloors(settings, accepted ? floors : [])
      relay.channel?.invalidate()
      return choices()
    }),
    renewCacheSecret: os.renewCacheSecret.handler(() => core.open().renewCacheSecret()),
    selfTest: os.selfTest.handler(({ signal }) => {
      if (!core.selfTest) throw new SottoError('self-test/unavailable')
      return eventsWithFailures(core.selfTest(signal ?? new AbortController().signal))
    }),
  }
}

type EnclaveChannel = NonNullable<UnlockedCore['relay']['channel']>

function releaseKeyOf(verdict: Verdict | null): string | undefined {
  return verdict ? releaseKey(verdict) : undefined
}

function shown({ registers }: Pin): string {
  return registers.map(({ name, hex }) => `${name} ${hex}`).join(', ')
}
