export const shownTests = {};
