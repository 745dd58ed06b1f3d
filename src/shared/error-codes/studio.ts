import type { ErrorEntry } from './error-entry.ts'

/** Jobs in Studio and Data. */
export const studioErrors = {
  'studio/unknown': {
    status: 404,
    says: 'Job or file not found.',
    remedy: 'It may have been deleted. Reopen the list.',
  },
  'studio/invalid-state': {
    status: 409,
    says: 'This isn’t possible in the job’s current state.',
    remedy: 'Check its status to see the available actions.',
  },
  'studio/upload-unknown': {
    status: 404,
    says: 'The file is no longer available. The upload was incomplete, already used, or more than ten minutes old.',
    remedy: 'Choose the file again.',
  },
  'studio/upload-incomplete': {
    status: 400,
    says: 'The uploaded file didn’t have its stated length, so it was discarded.',
    remedy: 'Choose the file again. If it’s still being written, wait until it’s complete.',
  },
  'studio/file-empty': {
    status: 400,
    says: 'The file is empty.',
    remedy: 'Choose a file that isn’t empty.',
  },
  'studio/file-too-large': {
    status: 413,
    says: 'The file is larger than the service allows.',
    remedy: 'Choose a smaller file, or reduce its size first.',
  },
  'studio/image-type': {
    status: 400,
    says: 'The file isn’t a JPEG, PNG, or WebP image, regardless of its name.',
    remedy: 'Open it in an image editor and save it as one of these.',
  },
  'studio/image-malformed': {
    status: 400,
    says: 'The image can’t be read. It’s incomplete, or doesn’t match its file type.',
    remedy: 'Open it in an image editor and save it again.',
  },
  'studio/image-too-large': {
    status: 400,
    says: 'The image is more than 16,384 pixels on one side.',
    remedy: 'Make it smaller in an image editor, and choose it again.',
  },
  'studio/audio-type': {
    status: 400,
    says: 'The file isn’t a supported audio format, regardless of its name.',
    remedy: 'Choose an MP3, MP4, M4A, WAV, or WebM file, or convert it to one of these.',
  },
  'studio/audio-too-large': {
    status: 413,
    says: 'The recording is larger than 25 MB, the service’s limit per file.',
    remedy: 'If it’s a WAV or MP3 file, send it in parts. Otherwise, lower its quality or trim it.',
  },
  'studio/audio-malformed': {
    status: 400,
    says: 'The recording can’t be split because it doesn’t match its file type.',
    remedy: 'Save it again as WAV or MP3, or trim it in an audio editor.',
  },
  'studio/parameter-clash': {
    status: 400,
    says: 'A parameter in the advanced field has its own field.',
    remedy: 'Set it there, and remove it from the advanced field.',
  },
  'studio/above-cap': {
    status: 402,
    says: 'This could cost more than your limit. Nothing was sent.',
    remedy: 'Raise the limit, or request less.',
  },
  'studio/price-unknown': {
    status: 402,
    says: 'The maximum cost is unknown, and you set a limit. Nothing was sent.',
    remedy: 'Start it without the limit, or choose a model with a listed price.',
  },
  'studio/balance-only': {
    status: 400,
    says: 'The service sells this only from an account balance.',
    remedy: 'Connect an account, and pay from its balance.',
  },
  'studio/video-failed': {
    status: 502,
    says: 'The service couldn’t create the video.',
    remedy: 'Change the prompt or image, or choose another model, then try again.',
  },
  'studio/text-encoding': {
    status: 400,
    says: 'The file isn’t UTF-8 or UTF-16 text, or parts of it are damaged.',
    remedy: 'Open it in the program that created it, and save it as UTF-8 text.',
  },
  'studio/no-texts': {
    status: 400,
    says: 'The selection contains no text.',
    remedy: 'Choose a file with text, or another column.',
  },
  'studio/too-many-texts': {
    status: 413,
    says: 'There are more than 100,000 texts, the limit for one job.',
    remedy: 'Split the file, and embed the parts one at a time.',
  },
  'studio/text-too-long': {
    status: 413,
    says: 'A text is too long for an embedding model.',
    remedy: 'Split it into shorter texts, such as paragraphs.',
  },
  'studio/csv-malformed': {
    status: 400,
    says: 'The table can’t be read. A quote isn’t closed, or a row has too many or too few cells.',
    remedy: 'Open it in a spreadsheet and save it as CSV again, or choose another delimiter.',
  },
  'studio/csv-empty': {
    status: 400,
    says: 'The table has no rows.',
    remedy: 'Choose another file, or check the setting for whether its first row has column names.',
  },
  'studio/csv-rows': {
    status: 413,
    says: 'The table has more than 200,000 rows, the limit for one batch.',
    remedy: 'Split the file, and run the parts one at a time.',
  },
  'studio/csv-column': {
    status: 400,
    says: 'The table doesn’t have this column.',
    remedy: 'Choose one of its columns.',
  },
  'studio/invalid-cell': {
    status: 400,
    says: 'A cell doesn’t match its field, or the row is empty. The row wasn’t sent.',
    remedy: 'Correct the row in the file, or treat the column as text.',
  },
  'studio/cap-reached': {
    status: 402,
    says: 'The next row could exceed your limit for the whole batch. Completed rows are saved.',
    remedy: 'Raise the limit to continue, or leave the remaining rows unsent.',
  },
  'studio/rows-failed': {
    status: 502,
    says: 'All rows were sent, but some failed. Completed rows are saved.',
    remedy: 'Review the row errors, and resend the rows you want.',
  },
  'studio/interrupted': {
    status: 409,
    says: 'Sotto stopped while this was in progress. Completed work is saved, and nothing more was sent.',
    remedy: 'Resume it when you’re ready.',
  },
  'studio/outcome-unknown': {
    status: 502,
    says: 'The connection or Sotto stopped after this was sent. It may have been completed and charged, so it won’t be resent automatically.',
    remedy: 'Check the service’s history. If the request isn’t there, send it again.',
  },
} as const satisfies Record<string, ErrorEntry>
