import { perform, type Service } from '../service/http/perform.ts'
import {
  audioListingRequest,
  audioModelsRequest,
  type AudioModel,
} from '../service/inference/audio-models.ts'
import { listDataEndpoints, type DataCatalogueEntry } from '../service/inference/data.ts'
import { listMediaModels, listModels } from '../service/inference/models.ts'
import { listVoices, type Voice } from '../service/inference/voices.ts'
import { createListing, type Listing } from './listing.ts'
import { createModelListing, type ModelListing } from './model-listing.ts'
import type { SkippedEntries } from './skipped-entries.ts'

/** The service's listings other than its chat models, each fetched at its first use. */
export interface PlaintextListings {
  readonly embedding: ModelListing
  /** Models of images and videos. */
  readonly media: ModelListing
  /**
   * Models of all kinds that are listed as audio, with prices. The list of speech models may be incomplete.
   */
  readonly audio: Listing<AudioModel>
  /** Transcription models (Revision B). */
  readonly transcription: Listing<AudioModel>
  /** Revision B. */
  readonly voices: Listing<Voice>
  /** By method and path, as `dataId` writes them. */
  readonly data: Listing<DataCatalogueEntry>
}

/** Creates the listings. Nothing is fetched before a call needs it. @param now Unix ms */
export function createPlaintextListings(
  service: Service,
  skipped: SkippedEntries,
  now: () => number,
): PlaintextListings {
  const byId = ({ id }: { readonly id: string }): string => id
  return {
    embedding: createModelListing(
      async () => skipped.note('embeddings', await listModels(service, { type: 'embedding' })),
      now,
    ),
    media: createModelListing(async () => skipped.note('media', await listMediaModels(service)), now),
    audio: createListing(
      async () => skipped.note('audio', await perform(service, audioListingRequest)),
      byId,
      now,
    ),
    transcription: createListing(
      async () => skipped.note('transcription', await perform(service, audioModelsRequest)),
      byId,
      now,
    ),
    voices: createListing(async () => skipped.note('voices', await listVoices(service)), byId, now),
    data: createListing(async () => skipped.note('data', await listDataEndpoints(service)), dataId, now),
  }
}

/** A path may be listed with both methods, each with its own price. */
export function dataId({ method, path }: Pick<DataCatalogueEntry, 'method' | 'path'>): string {
  return `${method} ${path}`
}
