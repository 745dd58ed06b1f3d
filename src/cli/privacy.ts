import type { PrivacyChoices } from '../shared/contract/privacy.ts'
import type { FreshEvidenceSource, FreshEvidenceView } from '../shared/fresh-evidence.ts'
import { describeFloorChange } from '../shared/policy/provider-floor.ts'
import { withCommandClient, print } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import { terminalSafe } from './format.ts'
import type { Output } from './json-output.ts'

/** Whose minimum the firmware of a server must reach. */
export type FirmwareMinimum = 'sotto' | 'provider'

/** `sotto privacy show`. Returns the exit code, as the others do. */
export function showPrivacy({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ privacy }) => shown(await privacy.choices(), json))
}

/** `sotto privacy firmware-minimum`: the lower one is confirmed first. */
export function setFirmwareMinimum(minimum: FirmwareMinimum, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) =>
    shown(
      await confirmHere(client, (signal) =>
        client.privacy.setProviderFloors({ accepted: minimum === 'provider' }, { signal }),
      ),
      json,
    ),
  )
}

/** `sotto privacy fresh-evidence`: asking for less is confirmed first. */
export function setFreshEvidence(from: FreshEvidenceSource, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) =>
    shown(await confirmHere(client, (signal) => client.privacy.setFreshEvidence({ from }, { signal })), json),
  )
}

/** `sotto privacy replace-cache-secrets`. */
export function replaceCacheSecrets({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ privacy }) => {
    await privacy.renewCacheSecret()
    print(json, { replaced: true }, 'Secrets replaced.')
    return 0
  })
}

function shown(choices: PrivacyChoices, json: boolean): number {
  print(json, { choices }, linesOf(choices).map(terminalSafe).join('\n'))
  return 0
}

function linesOf({ askBeforeNewRelease, pins, freshEvidence, providerFloors }: PrivacyChoices): string[] {
  return [
    `New releases: ${askBeforeNewRelease ? 'you approve each one' : 'trusted automatically'}`,
    `Pinned measurements: ${pins.length === 0 ? 'none' : pins.map(({ registers }) => registers.map(({ name, hex }) => `${name} ${hex}`).join(', ')).join('; ')}`,
    ...(freshEvidence ? [freshLine(freshEvidence)] : []),
    ...(providerFloors ? [firmwareLine(providerFloors)] : []),
  ]
}

function freshLine({ chosen, host }: FreshEvidenceView): string {
  switch (chosen) {
    case null:
      return `Fresh evidence: from the service, if it passes the request on. To ask ${host}, run: sotto privacy fresh-evidence direct`
    case 'relayed':
      return 'Fresh evidence: from the service, if it passes the request on'
    case 'direct':
      return `Fresh evidence: from ${host}, which sees this computer’s address`
    case 'never':
      return 'Fresh evidence: off'
  }
}

function firmwareLine({ accepted, floors }: NonNullable<PrivacyChoices['providerFloors']>): string {
  const changes = floors.map(describeFloorChange).join('; ')
  return accepted
    ? `Server firmware: accepted floor below AMD-SB-3019 (${changes}). To undo this, run: sotto privacy firmware-minimum sotto`
    : `Server firmware: Sotto’s minimum. The provider’s is lower (${changes}).`
}
