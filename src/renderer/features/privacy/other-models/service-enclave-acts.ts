import type { ChatRoute, ServiceEnclaveView } from '../../../../shared/chat-route.ts'
import type { ImageRule } from '../../../../shared/policy/service-enclave.ts'
import { currentScope } from '../../../data/service-scope.tsx'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { readServiceEnclave, showServiceEnclave } from '../../../ui/service-enclave-store.ts'
import { refreshStatus } from '../../../ui/status-store.ts'
import { saveProofFile } from '../privacy-store.ts'

/** Verifies the enclave now. A failed check is a verdict; only what prevents a verdict is thrown. */
export async function verifyServiceEnclave(): Promise<void> {
  await show(() => api.serviceEnclave.verify())
}

/** Chooses who can read chat with other models. The composer follows, because the status names it. */
export async function setChatRoute(route: ChatRoute): Promise<void> {
  await show(() => confirmable((signal) => api.serviceEnclave.setRoute({ route }, { signal })))
  await refreshStatus()
}

/** Chooses which images are accepted, and verifies again if there was a verdict: the choice ended it. */
export async function setImageRule(rule: ImageRule): Promise<void> {
  const hadVerdict = Boolean(readServiceEnclave().view?.verdict)
  const shown = await show(() => confirmable((signal) => api.serviceEnclave.setRule({ rule }, { signal })))
  if (shown && hadVerdict) await verifyServiceEnclave()
}

/** @param pcr0 lowercase hex, as it was shown: another image that runs by then isn't approved */
export async function approveImage(pcr0: string): Promise<void> {
  await show(() => confirmable((signal) => api.serviceEnclave.approveImage({ pcr0 }, { signal })))
}

/** Stops accepting an image, and verifies again if there was a verdict: the removal ended it. */
export async function removeImage(pcr0: string): Promise<void> {
  const hadVerdict = Boolean(readServiceEnclave().view?.verdict)
  const shown = await show(() => api.serviceEnclave.removeImage({ pcr0 }))
  if (shown && hadVerdict) await verifyServiceEnclave()
}

/**
 * Has the core verify the origin of an image, and verifies the enclave again if the rule then accepts the image. Throws
 * relay/provenance-refused.
 */
export async function addProvenance(file: Uint8Array, bundle: Uint8Array): Promise<void> {
  const hadVerdict = Boolean(readServiceEnclave().view?.verdict)
  const shown = await show(() =>
    api.serviceEnclave.proveImage({ file: base64(file), bundle: base64(bundle) }),
  )
  if (shown && hadVerdict && readServiceEnclave().view?.rule === 'proven') await verifyServiceEnclave()
}

/** @param enclaveId of a line of its history; absent for the last verdict */
export async function saveServiceEnclaveProof(host: string, enclaveId?: string): Promise<void> {
  saveProofFile(await api.serviceEnclave.proof(enclaveId === undefined ? {} : { enclaveId }), host)
}

/** @returns whether the service is still in use, so that the enclave may be verified again */
async function show(ask: () => Promise<ServiceEnclaveView>): Promise<boolean> {
  const scope = currentScope()
  showServiceEnclave(scope, await ask())
  return scope === currentScope()
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
