import type { OpenableKind, OpenedFile } from '../../shared/desktop-channels.ts'

const accepted: Readonly<Record<OpenableKind, { readonly types: string; readonly maxBytes: number }>> = {
  'recovery-copy': { types: '.json,application/json', maxBytes: 24 * 1024 * 1024 },
  'image-measurements': { types: '.json,application/json', maxBytes: 1024 * 1024 },
  'image-provenance': { types: '.json,.jsonl,.sigstore,application/json', maxBytes: 1024 * 1024 },
}

/** Asks for a file with the dialog of the desktop app or the browser. The file is read here and isn't sent. */
export function openFile(kind: OpenableKind): Promise<OpenedFile> {
  return window.desktop ? window.desktop.openFile(kind) : openInBrowser(accepted[kind])
}

function openInBrowser({
  types,
  maxBytes,
}: {
  readonly types: string
  readonly maxBytes: number
}): Promise<OpenedFile> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = types
  return new Promise((opened) => {
    input.addEventListener('cancel', () => opened('cancelled'), { once: true })
    input.addEventListener(
      'change',
      () => {
        const file = input.files?.[0]
        if (!file) opened('cancelled')
        else if (file.size > maxBytes) opened('too-large')
        else
          file.arrayBuffer().then(
            (content) => opened({ name: file.name, content: new Uint8Array(content) }),
            () => opened('failed'),
          )
      },
      { once: true },
    )
    input.click()
  })
}
