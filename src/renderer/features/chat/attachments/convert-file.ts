import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { beginWork, endWork, fileOf, holderOf, isTemporary, replaceFile } from './attached-store.ts'

/**
 * Has the enclave convert an attached document, for a fee that a person accepted, and attaches its Markdown in place of what was read on this
 * machine. If that fails or is stopped, the file is as it was before.
 */
export async function convertFile(key: string): Promise<void> {
  const before = fileOf(key)
  const draft = holderOf(key)
  if (!before?.document || draft === undefined || before.converting) return
  const stop = beginWork(key)
  const id = crypto.randomUUID()
  // The call itself isn't aborted if the window is a desktop's.
  stop.signal.addEventListener('abort', () => void api.documents.stop({ id }).catch(() => undefined))
  replaceFile(key, ({ failure: _, conversionFailure: __, ...file }) => ({ ...file, converting: true }))
  try {
    const { text } = await api.documents.convert(
      { id, name: before.name, content: before.document, acceptsFee: true },
      { signal: stop.signal },
    )
    const temporary = isTemporary(holderOf(key) ?? draft)
    const attachment = await api.attachments.add(
      {
        name: before.name,
        type: 'text/markdown',
        content: new Blob([text], { type: 'text/markdown' }),
        ...(temporary && { temporary }),
      },
      { signal: stop.signal },
    )
    if (!replaceFile(key, ({ name }) => ({ key, name, attachment })))
      void api.attachments.remove({ attachmentId: attachment.id }).catch(() => undefined)
  } catch (thrown) {
    const failure = stop.signal.aborted ? undefined : asFailure(thrown)
    replaceFile(key, ({ document, pages, name, attachment, notes, source, password }) => ({
      key,
      name,
      ...(pages && { pages }),
      ...(attachment && { attachment }),
      ...(notes && { notes }),
      ...(source && { source }),
      ...(password !== undefined && { password }),
      ...(before.failure && { failure: before.failure }),
      // A second conversion would find no text either, and cost as much.
      ...(document && failure?.code !== 'document/no-text' && { document }),
      ...withFailure(failure),
    }))
  } finally {
    endWork(key)
  }
}

function withFailure(failure: Failure | undefined): { conversionFailure?: Failure } {
  return failure ? { conversionFailure: failure } : {}
}
