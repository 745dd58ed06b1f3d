import { create } from 'zustand'
import type { Message } from '../../../../shared/conversation.ts'
import { splitText } from '../blocks.ts'
import { fencedCode } from '../fences.ts'

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

/** All documents of a branch in order. An answer that is still arriving has none. */
export function artifactsOf(messages: readonly Pick<Message, 'role' | 'state' | 'text'>[]): Artifact[] {
  return messages
    .filter(({ role, state }) => role === 'assistant' && state !== 'streaming')
    .flatMap(({ text }) => splitText(text).blocks)
    .flatMap((block) => {
      const code = fencedCode(block)
      return (code && artifactOf(code.language, code.text)) ?? []
    })
}

/**
 * The versions of a document: those of its kind and title, in order. Models repeat a document under its title when
 * they change it.
 */
export function versionsOf(artifacts: readonly Artifact[], { kind, title }: Artifact): readonly Artifact[] {
  return artifacts.filter((other) => other.kind === kind && other.title === title)
}

const FILES: Readonly<Record<ArtifactKind, { readonly ending: string; readonly type: string }>> = {
  page: { ending: 'html', type: 'text/html' },
  drawing: { ending: 'svg', type: 'image/svg+xml' },
  table: { ending: 'csv', type: 'text/csv' },
  text: { ending: 'md', type: 'text/markdown' },
  diagram: { ending: 'mmd', type: 'text/plain' },
}

/** The name and type of the file that the document is saved as. */
export function fileOf({ kind, language, title }: Artifact): {
  readonly name: string
  readonly type: string
} {
  const { ending, type } = FILES[kind]
  const stem = title
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join('-')
    .slice(0, 60)
  return { name: `${stem || 'document'}.${language === 'tsv' ? 'tsv' : ending}`, type }
}

/** The document next to the chat. Another chat closes it. */
export const useArtifact = create<{ readonly open: Artifact | undefined }>()(() => ({ open: undefined }))

/** Shows a document next to the chat, or hides it. */
export function showArtifact(open: Artifact | undefined): void {
  useArtifact.setState({ open })
}
