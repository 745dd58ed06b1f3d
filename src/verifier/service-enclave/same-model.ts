/**
 * The suffixes of a model's versions. These are dates (`20260101`, `2026-01-01`, `0613`, `09-2025`), numbers of three digits, `v1`, `v1:0`,
 * `latest`, and `preview` with or without a date. Anything else, such as `mini`, names another model.
 * No text can be read in two ways, so a mismatch is found in linear time.
 */
const VERSION =
  /^(?:-(?:\d{8}|\d{6}|\d{4}-\d\d-\d\d|\d{4}|\d{3}|\d\d-\d{4}|v\d{1,3}(?:-\d)?|latest|preview(?:-\d\d-\d\d)?)){1,6}$/

/**
 * Whether a name means the requested model, or a version of it. Only the last segment of a path counts, because providers have no common
 * prefix. Case doesn't count, and the separators `.`, `-`, `_`, `:` and `@` are equal. `vendor.model` is read as `vendor/model`.
 */
export function isSameModel(requested: string, other: string): boolean {
  const name = normalized(lastSegment(other))
  return [normalized(lastSegment(requested)), normalized(requested.replaceAll('/', '-'))].some(
    (expected) =>
      expected !== '' &&
      name.startsWith(expected) &&
      (name.length === expected.length || VERSION.test(name.slice(expected.length))),
  )
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[._:@]/g, '-')
}
