import { t } from '@lingui/core/macro'

/** The values that the service is known to send. It documents none of them. */
const typeNames: Readonly<Record<string, string>> = {
  get chat_completion() {
    return t`chat`
  },
  get embedding() {
    return t`embeddings`
  },
  get transcription() {
    return t`transcription`
  },
  get speech() {
    return t`speech`
  },
  get image_generation() {
    return t`image`
  },
  get image_edit() {
    return t`image edit`
  },
  get video_generation() {
    return t`video`
  },
  get data_enrichment() {
    return t`lookup`
  },
  get document_conversion() {
    return t`document conversion`
  },
}

const sourceNames: Readonly<Record<string, string>> = {
  get api() {
    return t`API`
  },
  get ui() {
    return t`Website`
  },
  get memory() {
    return t`Memory`
  },
}

/** An unknown value is shown as the service wrote it. */
export function typeName(type: string): string {
  return known(typeNames, type) ?? type.replaceAll('_', ' ')
}

export function sourceName(source: string): string {
  return known(sourceNames, source) ?? source
}

function known(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined
}
