export const useTests = {};
