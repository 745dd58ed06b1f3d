import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ImportModels, ImportReport } from '../../../shared/library/import-report.ts'
import { MAX_IMPORT_PIECE } from '../../../shared/library/limits.ts'
import { readImportFiles } from '../../../shared/library/read-import-files.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure, codedFailure } from '../../ui/failure.ts'
import { takenOf } from './import-outcome.tsx'
import type { FileProgress } from '../../files/send-file.ts'

interface ChatImportState {
  readonly progress?: FileProgress
  readonly failure?: Failure
  /** The effect of an import. Nothing is saved yet. */
  readonly preview?: ImportReport
  readonly outcome?: { readonly report: ImportReport; readonly stopped: boolean }
  /** The import that can be undone. */
  readonly importId?: string
  readonly undone?: { readonly removed: number; readonly remaining: number }
}

interface ChatImport extends ChatImportState {
  readonly runPreview: (files: readonly File[]) => Promise<void>
  /** @param models the models to continue with, by the model that a file names */
  readonly runImport: (files: readonly File[], models: ImportModels) => Promise<void>
  readonly undo: () => Promise<void>
  readonly stop: () => void
}

/** Previews, imports and undoes chats of files. @param onTaken is called when chats were added or removed */
export function useChatImport(onTaken: () => void): ChatImport {
  const [state, setState] = useState<ChatImportState>({})
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const start = (): AbortSignal => {
    controller.current?.abort()
    controller.current = new AbortController()
    return controller.current.signal
  }
  const runPreview = async (files: readonly File[]) => {
    const signal = start()
    const update = (next: ChatImportState) => {
      // Another choice of files replaces this preview.
      if (!signal.aborted) setState(next)
    }
    try {
      const { importId } = await api.library.importBegin({ preview: true })
      const preview = await sendFiles(files, importId, signal, (progress) =>
        update({ progress: { ...progress, preview: true } }),
      )
      update({ preview })
    } catch (thrown) {
      update({ failure: failureOf(thrown) })
    }
  }
  const runImport = async (files: readonly File[], models: ImportModels) => {
    const signal = start()
    let report: ImportReport | undefined
    let importId: string | undefined
    try {
      ;({ importId } = await api.library.importBegin({ preview: false, models }))
      report = await sendFiles(files, importId, signal, (progress) => {
        report = progress.report
        setState({ progress })
      })
      setState({ outcome: { report, stopped: signal.aborted }, importId })
      announce(takenOf(report))
    } catch (thrown) {
      // Chats that were imported before the failure stay.
      const partial = report && report.conversations > 0 ? { outcome: { report, stopped: true } } : {}
      setState({ failure: failureOf(thrown), ...partial })
    } finally {
      onTaken()
    }
  }
  const undo = async () => {
    const { importId } = state
    if (importId === undefined) return
    try {
      setState({ undone: await api.library.importUndo({ importId }) })
    } catch (thrown) {
      setState(({ outcome }) => ({ ...(outcome && { outcome }), failure: failureOf(thrown) }))
    } finally {
      onTaken()
    }
  }
  const stop = () => {
    controller.current?.abort()
    // A stopped preview has nothing to show. A stopped import reports the chats that it saved.
    setState((current) => (current.progress?.preview === true ? {} : current))
  }
  return { ...state, runPreview, runImport, undo, stop }
}

function failureOf(thrown: unknown): Failure {
  return thrown instanceof SottoError ? codedFailure(thrown.code) : asFailure(thrown)
}

async function sendFiles(
  files: readonly File[],
  importId: string,
  signal: AbortSignal,
  onProgress: (progress: FileProgress) => void,
): Promise<ImportReport> {
  const of = files.reduce((sum, { size }) => sum + size, 0)
  let read = 0
  let otherFiles = 0
  let report: ImportReport | undefined
  onProgress({ read, of, report })
  const sources = files.map((file) => ({
    name: file.webkitRelativePath || file.name,
    bytes: () => bytesOf(file),
  }))
  for await (const input of readImportFiles(sources)) {
    if (signal.aborted) break
    if (input.type === 'read') read += input.bytes
    else if (input.type === 'other-file') otherFiles += 1
    else report = await api.library.importPiece({ importId, text: input.text, file: input.file })
    onProgress({ read, of, report })
  }
  return api.library.importEnd({ importId, stopped: signal.aborted, otherFiles })
}

async function* bytesOf(file: File): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < file.size; at += MAX_IMPORT_PIECE)
    yield new Uint8Array(await file.slice(at, at + MAX_IMPORT_PIECE).arrayBuffer())
}
