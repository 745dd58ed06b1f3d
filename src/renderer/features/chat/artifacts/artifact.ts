import { create } from 'zustand'

/** How a document of a reply is shown: in a frame, or by this window's own components. */
export type ArtifactKind = 'page' | 'drawing' | 'table' | 'text' | 'diagram'

/** A document that a reply contains as a block of code, and that can be shown next to the chat. */
export interface Artifact {
  readonly kind: ArtifactKind
  /** The name of its language, as the reply writes it. */
  readonly language: string
  readonly source: string
  /** The name that the document itself states, or '' if it states none. */
  readonly title: string
}

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  html: 'page',
  htm: 'page',
  svg: 'drawing',
  csv: 'table',
  tsv: 'table',
  markdown: 'text',
  md: 'text',
  mermaid: 'diagram',
}

/** Longer documents are only shown as code. */
const MAX_CHARACTERS = 1_000_000
const MAX_TITLE = 120

/** A block of code as a document, or undefined if it can only be shown as code. */
export function artifactOf(language: string | undefined, source: string): Artifact | undefined {
  const name = (language ?? '').toLowerCase()
  const kind = Object.hasOwn(KINDS, name)
    ? KINDS[name]
    : name === 'xml' && /^\s*<svg[\s>]/i.test(source)
      ? 'drawing'
      : undefined
  if (!kind || source.trim() === '' || source.length > MAX_CHARACTERS) return undefined
  return { kind, language: name, source, title: titleOf(kind, source) }
}

function titleOf(kind: ArtifactKind, source: string): string {
  const [, title = ''] =
    (kind === 'text'
      ? /^ {0,3}#{1,6}[ \t]+([^\n]*)/m.exec(source)
      : kind === 'page' || kind === 'drawing'
        ? /<title[^>]{0,200}>([^<]{0,500})/i.exec(source)
        : null) ?? []
  return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
}

/** The document next to the chat. Another chat closes it. */
export const useArtifact = create<{ readonly open: Artifact | undefined }>()(() => ({ open: undefined }))

/** Shows a document next to the chat, or hides it. */
export function showArtifact(open: Artifact | undefined): void {
  useArtifact.setState({ open })
}
