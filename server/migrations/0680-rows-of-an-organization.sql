-- Statistics of both columns together would contradict what 0730 tells the planner.
drop statistics if exists folder_organization, document_organization;
