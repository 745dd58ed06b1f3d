import type { Message } from '../../../../shared/conversation.ts'
import { splitText } from '../blocks.ts'
import { fencedCode } from '../fences.ts'
import { artifactOf, type Artifact, type ArtifactKind } from './artifact.ts'

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
