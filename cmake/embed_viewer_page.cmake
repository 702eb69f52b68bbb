# cmake -DPAGE=HTML -DSOURCE=CPP -P embed_viewer_page.cmake: the page as a C++ source; without PAGE, an empty one.
set(VIEWER_PAGE "")
if(DEFINED PAGE)
  file(READ ${PAGE} VIEWER_PAGE)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/viewer_page.cpp.in ${SOURCE} @ONLY)
