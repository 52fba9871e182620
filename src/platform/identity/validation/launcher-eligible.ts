/** The column is true unless revoked. External accounts are not eligible, because no grant exists yet. */
export const LAUNCHER_ELIGIBLE = `launcher_eligible AND principal_type <> 'external' AS launcher_eligible`;
